extension Form {
  /// The most rows in a form.
  public static let maximumRowCount = 10_000

  /// Checks the definition as a whole: what must be there, what must be unique, and that every key
  /// and name that it mentions exists. A form made in Swift is also checked for what its
  /// definition could not say.
  ///
  /// - Throws: ``DefinitionError`` with every fault.
  public func check(registry: RuleRegistry = RuleRegistry()) throws(DefinitionError) {
    let problems = ProblemList()
    check(registry: registry, problems)
    checkDefinition(problems)
    if !problems.problems.isEmpty { throw DefinitionError(problems: problems.problems) }
  }

  func check(registry: RuleRegistry, _ problems: ProblemList) {
    FormCheck(form: self, registry: registry, problems: problems).run()
  }
}

extension Form {
  /// Reads the form's own definition: the reader knows the range of every setting.
  private func checkDefinition(_ problems: ProblemList) {
    let text = Array(definition.jsonText.utf8)
    if text.count > Self.maximumDefinitionSize {
      problems.add("", Self.tooLarge)
      return
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      problems.add("", "the definition can't be read back: \(error.message)")
      return
    }
    let count = problems.problems.count
    guard let copy = DefinitionReader(problems).form(value), problems.problems.count == count else {
      return
    }
    for (index, pair) in zip(sections, copy.sections).enumerated() {
      for (rowIndex, (row, read)) in zip(pair.0.rows, pair.1.rows).enumerated() where row != read {
        let setting =
          row.kind != read.kind
          ? "value" : row.cellStyle != read.cellStyle ? "cellStyle" : "serviceKey"
        problems.add(
          Place.row(
            rowIndex, key: row.key, serviceKey: row.serviceKey,
            in: Place.section(index, title: pair.0.title)),
          "\"\(setting)\" does not suit the row's kind and can't be kept: change it")
      }
    }
  }

  /// Its size is not told: who reads a file stops once it is too large.
  static let tooLarge =
    "the definition has more than \(maximumDefinitionSize) bytes: split it into several forms"
}

private struct FormCheck {
  let form: Form
  let registry: RuleRegistry
  let problems: ProblemList
  let prepared: PreparedForm
  /// The place of each row, for messages.
  let places: [String]

  init(form: Form, registry: RuleRegistry, problems: ProblemList) {
    self.form = form
    self.registry = registry
    self.problems = problems
    prepared = PreparedForm(form)
    // Rows that could not be read have left gaps, which the reader's places count in.
    if problems.rowPlaces.count == prepared.rows.count {
      places = problems.rowPlaces
      return
    }
    places = form.sections.enumerated().flatMap { index, section in
      section.rows.enumerated().map { rowIndex, row in
        Place.row(
          rowIndex, key: row.key, serviceKey: row.fields(rowIndex: 0).first { $0.isSubmitted }?.key,
          in: Place.section(index, title: section.title))
      }
    }
  }

  func run() {
    if form.id.isEmpty, !problems.hasLostID {
      problems.add("", "\"id\" is missing: it names the form for good")
    }
    checkText(form.id, "\"id\"", at: "")
    if prepared.rows.isEmpty, !problems.hasLostRows {
      problems.add("", "the form has no rows: add at least one")
    }
    if prepared.rows.count > Form.maximumRowCount {
      problems.add(
        "", "the form has \(prepared.rows.count) rows; at most \(Form.maximumRowCount) are kept")
    }
    checkKeys()
    for (index, row) in prepared.rows.enumerated() { check(row, at: places[index], index) }
    checkVisibilityCycles()
  }

  private func checkText(_ text: String, _ what: String, at place: String) {
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      problems.add(place, "\(what) holds a control character; take it out")
    }
  }

  private func checkKeys() {
    // Swift's String equality makes keys that differ only in their normalisation collide, as meant.
    var owners: [String: Int] = [:]
    for field in prepared.fields {
      let place = places[field.rowIndex]
      if field.key.isEmpty, problems.placesOfLostKeys.contains(place) { continue }
      if field.key.isEmpty {
        problems.add(place, "the row has neither \"serviceKey\" nor \"key\": give it one")
      } else if let owner = owners[field.key] {
        let first = owner == field.rowIndex ? "in the same row" : "by \(places[owner])"
        problems.add(
          place,
          field.isSubmitted
            ? "the serviceKey \"\(field.key)\" is used already \(first): rename one"
            : "the key \"\(field.key)\" is used already \(first): "
              + "give one a serviceKey or another key"
        )
      } else {
        owners[field.key] = field.rowIndex
      }
      checkText(field.key, "the key", at: place)
    }
    var formerOwners: [String: Int] = [:]
    for field in prepared.fields {
      for key in field.formerKeys {
        if let owner = owners[key] {
          problems.add(
            places[field.rowIndex],
            "\"formerKeys\" names \"\(key)\", which is still the key of \(places[owner])")
        } else if let owner = formerOwners.updateValue(field.rowIndex, forKey: key) {
          problems.add(
            places[field.rowIndex], "\"formerKeys\" names \"\(key)\", as does \(places[owner])")
        }
      }
    }
  }

  private func check(_ row: Row, at place: String, _ index: Int) {
    switch row.kind {
    case .pair(let pair):
      if row.serviceKey != nil {
        problems.add(place, "a pair's \"serviceKey\" belongs into its \"left\"")
      }
      if pair.serviceKey.isEmpty { problems.add(place, "\"left\" needs a \"serviceKey\"") }
      if pair.right.httpParameterKey.isEmpty {
        problems.add(place, "\"right\" needs an \"httpParameterKey\"")
      }
      if case .option(let option) = pair.left {
        check(option.options, option.selectedIndex, at: place)
      }
      check(pair.right.options, pair.right.selectedIndex, at: place)
    case .option(let option): check(option.options, option.selectedIndex, at: place)
    case .tags(let tags): check(tags, at: place)
    case .text, .input, .custom: break
    }
    for field in row.fields(rowIndex: index) { check(field.verify.rule, at: place) }
    checkConditions(of: row, at: place)
    check(row.transform, of: row, at: place)
  }

  private func check(_ options: [Option], _ selectedIndex: Int?, at place: String) {
    if options.isEmpty { problems.add(place, "\"options\" is empty: list at least one") }
    checkUnique(options.map(\.id), "option", at: place)
    if let selectedIndex, !options.indices.contains(selectedIndex) {
      problems.add(
        place,
        "\"selectedIndex\" is \(selectedIndex), but the options are numbered 0 to "
          + "\(options.count - 1)")
    }
  }

  private func check(_ tags: TagsContent, at place: String) {
    if tags.tags.isEmpty { problems.add(place, "\"tags\" is empty: list at least one") }
    checkUnique(tags.tags.map(\.id), "tag", at: place)
    let most = min(tags.limit ?? .max, tags.tags.count)
    if !tags.tags.isEmpty, tags.leastChoiceCount > most {
      problems.add(
        place,
        "\"leastChoiceCount\" is \(tags.leastChoiceCount), but at most \(most) can be chosen")
    }
  }

  private func checkUnique(_ ids: [OptionID], _ noun: String, at place: String) {
    var numbers: Set<Int64> = []
    var strings: Set<String> = []
    for id in ids {
      switch id {
      case .number(let number):
        if !numbers.insert(number).inserted {
          problems.add(place, "two \(noun)s have the id \(number): change one")
        }
      case .string(let text):
        if !strings.insert(text).inserted {
          problems.add(place, "two \(noun)s have the id \"\(text)\": change one")
        }
        if FieldValue.string(text).isBlank {
          problems.add(place, "a \(noun)'s id is blank, which means that nothing is chosen")
        }
      }
    }
  }

  private func check(_ rule: Rule?, at place: String) {
    guard let rule else { return }
    for key in rule.keys where isUnknown(key) {
      problems.add(place, "the rule looks at \"\(key)\", which no row has")
    }
    checkRegistered(rule.namedRules, at: place)
  }

  private func isUnknown(_ key: String) -> Bool {
    prepared.field(key) == nil && !problems.hasLostRows
  }

  private func checkRegistered(_ names: [String], at place: String) {
    for name in names where registry.rule(name) == nil {
      problems.add(place, "the rule \"\(name)\" is not registered: register it before saving")
    }
  }

  private func checkConditions(of row: Row, at place: String) {
    let conditions = [
      ("visibleWhen", row.visibleWhen), ("requiredWhen", row.requiredWhen),
      ("enabledWhen", row.enabledWhen),
    ]
    for case (let name, let condition?) in conditions {
      for key in condition.keys where isUnknown(key) {
        problems.add(place, "\"\(name)\" looks at \"\(key)\", which no row has")
      }
      checkRegistered(condition.namedRules, at: place)
    }
  }

  private func check(_ transform: Transform?, of row: Row, at place: String) {
    switch (transform, row.kind) {
    case (.named(let name)?, _) where registry.transform(name) == nil:
      problems.add(place, "the transform \"\(name)\" is not registered: register it before saving")
    case (.optionID?, .text), (.optionID?, .input), (.optionID?, .tags), (.optionID?, .custom):
      problems.add(place, "the transform \"optionID\" is for rows with options")
    default: break
    }
  }

  /// A row whose visibility depends, over others, on itself.
  private func checkVisibilityCycles() {
    enum Mark { case open, done }
    var marks: [Int: Mark] = [:]
    for start in prepared.rows.indices where marks[start] == nil {
      var stack: [(row: Int, isLeaving: Bool)] = [(start, false)]
      while let (row, isLeaving) = stack.popLast() {
        if isLeaving {
          marks[row] = .done
          continue
        }
        if marks[row] != nil { continue }
        marks[row] = .open
        stack.append((row, true))
        for key in prepared.rows[row].visibleWhen?.keys ?? [] {
          guard let next = prepared.field(key)?.rowIndex else { continue }
          if marks[next] == .open {
            problems.add(
              places[row],
              "\"visibleWhen\" looks at \"\(key)\", whose own visibility depends on this row")
          } else {
            stack.append((next, false))
          }
        }
      }
    }
  }
}
