import FormModel

/// The options or tags of a field, to pick from.
struct FillChoices {
  struct Choice {
    let id: OptionID
    let label: String
  }

  /// What a person picked.
  enum Picked: Equatable {
    case one(OptionID)
    case none
    /// Several may be meant; by their places.
    case several([Int])
  }

  /// So many are listed unless all are asked for; the others are found by a part of their label.
  static let shortList = 40

  let all: [Choice]

  init(_ options: [Option]) {
    all = options.map { Choice(id: $0.id, label: $0.label.isEmpty ? "\($0.id)" : $0.label) }
  }

  init(_ tags: [Tag]) {
    all = tags.map { Choice(id: $0.id, label: $0.labelName.isEmpty ? "\($0.id)" : $0.labelName) }
  }

  /// The choice that a text means: `#3` by its number, `=fund` by its id or label; else its number,
  /// its label, its id, or a part of the label that no other has.
  func pick(_ text: String) -> Picked {
    let text = Self.trimmed(text)
    if text.first == "#", let place = place(ofNumber: text.dropFirst()) {
      return .one(all[place].id)
    }
    if text.first == "=" {
      let name = String(text.dropFirst())
      let byID = places { $0.id.description == name }
      return picked(byID.isEmpty ? places { $0.label == name } : byID)
    }
    let labelled = places { $0.label == text }
    if let numbered = place(ofNumber: text[...]) {
      // Both are seen in the list, so that either may be meant.
      return picked(labelled.contains(numbered) ? [numbered] : [numbered] + labelled)
    }
    if !labelled.isEmpty { return picked(labelled) }
    let byID = places { $0.id.description == text }
    if !byID.isEmpty { return picked(byID) }
    let lower = text.lowercased()
    guard !lower.isEmpty else { return .none }
    let alike = places { $0.label.lowercased() == lower }
    return picked(alike.isEmpty ? places { $0.label.lowercased().contains(lower) } : alike)
  }

  /// The choices that a text means: one, or several with commas or spaces between them. The part
  /// that means none, or several, stands in the failure.
  func pickSeveral(_ text: String) -> Result<[OptionID], Unclear> {
    if case .one(let id) = pick(text) { return .success([id]) }
    let hasCommas = text.contains(where: Self.isComma)
    let parts = text.split { hasCommas ? Self.isComma($0) : $0 == " " || $0 == "\u{3000}" }
    var ids: [OptionID] = []
    for part in parts where !Self.trimmed(String(part)).isEmpty {
      let picked = pick(String(part))
      guard case .one(let id) = picked else {
        return .failure(Unclear(text: Self.trimmed(String(part)), picked: picked))
      }
      ids.append(id)
    }
    return ids.isEmpty ? .failure(Unclear(text: text, picked: .none)) : .success(ids)
  }

  struct Unclear: Error {
    let text: String
    let picked: Picked

    init(text: String, picked: Picked) {
      (self.text, self.picked) = (text, picked)
    }
  }

  private func picked(_ places: [Int]) -> Picked {
    switch places.count {
    case 0: .none
    case 1: .one(all[places[0]].id)
    default: .several(places)
    }
  }

  private func places(where isMeant: (Choice) -> Bool) -> [Int] {
    all.indices.filter { isMeant(all[$0]) }
  }

  private func place(ofNumber text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
      (1...max(1, all.count)).contains(number), !all.isEmpty
    else { return nil }
    return number - 1
  }

  private static func isComma(_ character: Character) -> Bool { ",，、".contains(character) }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
