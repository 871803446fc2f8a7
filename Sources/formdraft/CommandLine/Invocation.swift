import DraftDatabase
import DraftStore
import FormModel
import Synchronization

/// A command line that was understood: the command with its arguments and options.
struct Invocation: Sendable {
  /// The names that lead to the command: `["draft", "set"]`.
  let path: [String]
  let command: Command
  let arguments: [String]
  /// The values of the options that were given, by name; an option without value has one empty.
  let options: [String: [String]]
  private let stores = OpenStores()

  var isJSON: Bool { has("--json") }

  func has(_ name: String) -> Bool { options[name] != nil }

  /// The value of an option, or nil when it was not given.
  func value(_ name: String) -> String? { options[name]?.last }

  /// The values of an option that may be given several times.
  func values(_ name: String) -> [String] { options[name] ?? [] }

  /// The whole number that an option gives, or nil when it was not given.
  func integer(_ name: String, atLeast least: Int = .min) throws -> Int? {
    try value(name).map { try integer($0, of: name, atLeast: least) }
  }

  /// The whole numbers of an option that may be given several times.
  func integers(_ name: String) throws -> [Int] {
    try values(name).map { try integer($0, of: name, atLeast: .min) }
  }

  private func integer(_ text: String, of name: String, atLeast least: Int) throws -> Int {
    guard let number = Int(text), number >= least else {
      let bound = least == .min ? "" : " of at least \(least)"
      throw UsageError("\(name) takes a whole number\(bound), not \"\(text.shortened)\"", path)
    }
    return number
  }

  /// The choice among a type's names that an option gives, or nil when it was not given.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) throws -> Choice? {
    try value(name).map { try choice($0, of: name) }
  }

  /// The choices of an option that may be given several times.
  func choices<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) throws -> [Choice] {
    try values(name).map { try choice($0, of: name) }
  }

  private func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, of name: String
  ) throws -> Choice {
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(name) takes one of \(names), not \"\(text.shortened)\"", path)
    }
    return choice
  }

  /// The length of time that an option gives, or nil when it was not given.
  func duration(_ name: String) throws -> Duration? {
    guard let text = value(name) else { return nil }
    guard let duration = Duration(spelled: text) else {
      throw UsageError(
        "\(name) takes a length of time such as 30d, 12h, 45m or 0s, not \"\(text.shortened)\"",
        path)
    }
    return duration
  }

  /// What a command does with the store.
  enum Access {
    case reading, writing, creating
  }

  /// Runs the command, and closes what it opened.
  func run() async throws -> ExitStatus {
    defer { stores.close() }
    return try await command.run(self)
  }

  /// The store's file, which `--store` or the environment names.
  func storePath() throws -> String {
    let path = value("--store") ?? System.environment("FORMDRAFT_STORE") ?? ""
    guard !path.isEmpty else {
      throw UsageError(
        "no store: give --store FILE or set FORMDRAFT_STORE to a file", self.path)
    }
    return path
  }

  /// Opens the store that `--store` or the environment names, until the command ends.
  func openStore(_ access: Access = .writing) throws -> DraftStore {
    let path = try storePath()
    var options = DraftStore.Options(createsFile: access == .creating)
    let isNew = access == .creating && !System.isThere(path)
    do {
      let store = stores.keep(try DraftStore(path: path, options: options))
      if isNew, store.database.isInOpenFolder {
        Console.warn(
          "\(path): everybody may replace files in its folder; keep it in a folder of your own",
          code: "openFolder", key: nil, isJSON: isJSON)
      }
      return store
    } catch let error as DatabaseError
      where access == .reading && [.permission, .readOnly].contains(error.code)
    {
      // What may not be written can still be read.
      options.isReadOnly = true
      return stores.keep(try DraftStore(path: path, options: options))
    }
  }
}

/// The stores that a command opened. Closing them moves their logs into their files, so that one
/// file is left that can be copied.
private final class OpenStores: Sendable {
  private let stores = Mutex<[DraftStore]>([])

  func keep(_ store: DraftStore) -> DraftStore {
    stores.withLock { $0.append(store) }
    return store
  }

  /// What was saved is saved, whether or not the log can be moved.
  func close() {
    for store in stores.withLock({ $0 }) { try? store.close() }
  }
}

extension Duration {
  /// A length of time such as `30d`, `12h`, `45m`, `0s` or `2w`, up to a hundred thousand days.
  init?(spelled text: String) {
    let lengths: [Character: Int64] = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
    guard let unit = text.last, let length = lengths[unit],
      text.dropLast().utf8.allSatisfy({ (48...57).contains($0) }),
      let count = Int64(text.dropLast()), count <= 100_000 * 86_400 / length
    else { return nil }
    self = .seconds(count * length)
  }
}

extension String {
  /// The beginning of a long text, for messages.
  var shortened: String { count <= 60 ? self : prefix(59) + "…" }
}
