import DraftStore
import FormModel

extension OptionDescription {
  /// How a `FormParam` is assembled.
  static let paramOptions = [
    OptionDescription(
      name: "--filter-service-key", value: "K",
      abstract: "leaves the row with this service key out, for the app to convert",
      isRepeatable: true),
    OptionDescription(
      name: "--filter-value-type", value: "N",
      abstract: "leaves rows with this value type out, for the app to convert",
      isRepeatable: true),
    OptionDescription(
      name: "--compatible", abstract: "checks only that required rows are filled"),
  ]
}

extension Invocation {
  /// The options of ``OptionDescription/paramOptions``.
  func paramOptions() throws -> FormParam.Options {
    FormParam.Options(
      filterServiceKeys: values("--filter-service-key"),
      filterValueTypes: try integers("--filter-value-type"),
      mode: has("--compatible") ? .compatible : .strict)
  }

  /// The draft that the first argument names.
  func draftID(in store: DraftStore) throws -> DraftID {
    try store.draftID(named: arguments[0])
  }
}

extension Command {
  static let validate = Command(
    name: "validate", abstract: "tells every error of a draft, one a line", usage: "DRAFT",
    discussion: "Exit status 1 when the draft is not valid.",
    examples: ["--store visits.store validate @"], arguments: .exactly(.drafts),
    options: OptionDescription.paramOptions
  ) { invocation in
    let options = try invocation.paramOptions()
    let store = try invocation.openStore(.reading)
    let param = try store.param(of: invocation.draftID(in: store), options: options)
    if invocation.isJSON {
      try Console.print(param.record)
    } else {
      try Console.print(param.errors.map { "\($0.key): \($0.message)".printable + "\n" }.joined())
    }
    return param.isValid ? .done : .no
  }

  static let param = Command(
    name: "param", abstract: "prints what a draft would submit", usage: "DRAFT",
    discussion: """
      Exit status 1 when the draft is not valid: the errors stand on the standard error then.
      """,
    examples: ["--store visits.store param @ --filter-service-key cardNo"],
    arguments: .exactly(.drafts), options: OptionDescription.paramOptions
  ) { invocation in
    let options = try invocation.paramOptions()
    let store = try invocation.openStore(.reading)
    let id = try invocation.draftID(in: store)
    let param = try store.param(of: id, options: options)
    if invocation.isJSON {
      try Console.print(param.record)
    } else if param.isValid {
      try Console.print(JSONValue.object(param.param).prettyText + "\n")
    } else {
      throw StoreError.notValid(id, param)
    }
    return param.isValid ? .done : .no
  }

  static let submit = Command(
    name: "submit", abstract: "freezes what a draft submits and prints the submission's number",
    usage: "DRAFT",
    discussion: """
      A draft that is not valid is not submitted: exit status 1, with every error. What the last
      submission holds already makes no other one.
      """,
    examples: [
      "--store visits.store submit @",
      "--store visits.store submit @ --filter-service-key cardNo --add 'cardNo:=\"6222\"'",
    ],
    arguments: .exactly(.drafts),
    options: OptionDescription.paramOptions + [
      OptionDescription(
        name: "--add", value: "KEY:=JSON", abstract: "adds a value that the app made itself",
        isRepeatable: true)
    ]
  ) { invocation in
    let options = try invocation.paramOptions()
    let added = try invocation.values("--add").map { word in
      try Assignment(word, path: invocation.path).entry(path: invocation.path)
    }
    let store = try invocation.openStore()
    let id = try invocation.draftID(in: store)
    let submission = try store.submit(id, options: options, adding: added)
    if invocation.isJSON {
      try Console.print([
        "draft": .string(id.description), "submission": .count(submission.number),
        "follows": .optional(submission.follows), "digest": .string(submission.digest),
        "createdAt": .moment(submission.createdAt), "param": .object(submission.param),
      ])
    } else {
      try Console.print("\(submission.number)\n")
    }
    return .done
  }
}

extension Assignment {
  /// The value of a `FormParam` that `KEY:=JSON` adds, of the type that its JSON shows.
  fileprivate func entry(path: [String]) throws -> FormParam.Entry {
    guard case .json(let text) = source else {
      throw UsageError("--add takes KEY:=JSON", path)
    }
    let json: JSONValue
    do {
      json = try JSONValue(parsing: text)
    } catch {
      throw CommandFailure(
        status: .data, code: "badJSON", message: "\(key): not JSON: \(error)", key: key)
    }
    let value: FieldValue =
      switch json {
      case .null: .null
      case .string(let text): .string(text)
      case .bool(let flag): .boolean(flag)
      case .number(let number):
        (try? FieldValue(json: json, as: .integer)) ?? .decimal(number)
      case .array, .object: .json(json)
      }
    return FormParam.Entry(serviceKey: key, value: value)
  }
}
