/// Reads a rule or a condition from an object.
struct RuleReader {
  private let object: DefinitionObject

  init(_ object: DefinitionObject) {
    self.object = object
  }

  private static let ruleNames = [
    "required", "regex", "length", "number", "integer", "email", "url", "mobileCN", "residentID",
    "socialCreditCode", "bankCard", "date", "oneOf", "equalTo", "all", "any", "not", "named",
  ]

  /// A rule: an object with one member, the rule's name.
  func rule() -> Rule? {
    guard object.object.count == 1, let name = object.object.keys.first,
      Self.ruleNames.contains(name)
    else {
      object.report(
        "a rule is an object with one of these keys: \(Self.ruleNames.joined(separator: ", "))")
      return nil
    }
    return rule(named: name)
  }

  private func rule(named name: String) -> Rule? {
    switch name {
    case "required": flag(name, .required)
    case "regex": regex()
    case "length": length()
    case "number": number()
    case "integer": flag(name, .integer)
    case "email": flag(name, .email)
    case "url": flag(name, .url)
    case "mobileCN": flag(name, .mobileCN)
    case "residentID": flag(name, .residentID)
    case "socialCreditCode": flag(name, .socialCreditCode)
    case "bankCard": flag(name, .bankCard)
    case "date": date()
    case "oneOf": object.read(name, "a list of values", \.arrayValue).map(Rule.oneOf)
    case "equalTo": object.string(name).map { .equalTo(key: $0) }
    case "all": rules(name).map(Rule.all)
    case "any": rules(name).map(Rule.any)
    case "not": object.object(name).flatMap { RuleReader($0).rule() }.map(Rule.not)
    case "named": object.string(name).map(Rule.named)
    default: nil
    }
  }

  private func flag(_ name: String, _ rule: Rule) -> Rule? {
    object.read(name, "true; leave the rule out, or put it into \"not\", for the opposite") {
      $0 == .bool(true) ? rule : nil
    }
  }

  private func rules(_ name: String) -> [Rule]? {
    let parts = object.objects(name, "\"\(name)\" part")
    return parts.compactMap { RuleReader($0).rule() }
  }

  private func regex() -> Rule? {
    guard let source = object.string("regex") else { return nil }
    do throws(PatternError) {
      return .regex(try Pattern(source))
    } catch {
      object.report("\"regex\": \(error)")
      return nil
    }
  }

  private func length() -> Rule? {
    guard let limits = object.object("length") else { return nil }
    let min = limits.integer("min", in: 0...Int.max)
    let max = limits.integer("max", in: 0...Int.max)
    if let min, let max, min > max { limits.report("\"min\" is more than \"max\"") }
    limits.finish()
    return .length(min: min, max: max)
  }

  private func number() -> Rule? {
    guard let limits = object.object("number") else { return nil }
    let min = limits.decimal("min")
    let max = limits.decimal("max")
    if let min, let max, max.precedes(min) { limits.report("\"min\" is more than \"max\"") }
    let decimals = limits.integer("decimals", in: 0...Int.max)
    limits.finish()
    return .number(min: min, max: max, decimals: decimals)
  }

  private func date() -> Rule? {
    guard let limits = object.object("date") else { return nil }
    let min = limits.date("min")
    let max = limits.date("max")
    if let min, let max, max < min { limits.report("\"min\" is after \"max\"") }
    limits.finish()
    return .date(min: min, max: max)
  }

  /// A condition: a key with a test, or `all`, `any` or `not` of conditions.
  func condition() -> Condition? {
    guard object.object["key"] != nil else {
      let condition: Condition? =
        if object.object["all"] != nil {
          .all(conditions("all"))
        } else if object.object["any"] != nil {
          .any(conditions("any"))
        } else if object.object["not"] != nil {
          object.object("not").flatMap { RuleReader($0).condition() }.map(Condition.not)
        } else {
          nil
        }
      if condition == nil, object.object["not"] == nil {
        object.report("a condition has a \"key\" with a test, or \"all\", \"any\" or \"not\"")
      }
      object.finish()
      return condition
    }
    let key = object.string("key")
    let test = test()
    object.finish()
    guard let key, let test else { return nil }
    return .test(key: key, test)
  }

  private func conditions(_ name: String) -> [Condition] {
    object.objects(name, "\"\(name)\" part").compactMap { RuleReader($0).condition() }
  }

  private static let testNames = ["equals", "notEquals", "in", "contains", "isEmpty"]

  private func test() -> ConditionTest? {
    let names = object.object.keys.filter { $0 != "key" }
    guard names.count == 1, let name = names.first,
      Self.testNames.contains(name) || Self.ruleNames.contains(name)
    else {
      object.report(
        "beside \"key\" there must be one test: "
          + (Self.testNames + Self.ruleNames).joined(separator: ", "))
      for name in names { _ = object.value(name) }
      return nil
    }
    switch name {
    case "equals": return object.value(name).map(ConditionTest.equals)
    case "notEquals": return object.value(name).map(ConditionTest.notEquals)
    case "in": return object.read(name, "a list of values", \.arrayValue).map(ConditionTest.oneOf)
    case "contains": return object.value(name).map(ConditionTest.contains)
    case "isEmpty":
      return object.read(name, "true or false", \.boolValue).map(ConditionTest.isEmpty)
    default: return rule(named: name).map(ConditionTest.rule)
    }
  }
}
