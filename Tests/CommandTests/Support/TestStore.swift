import FormModel
import Foundation
import Testing

/// A store in a folder of its own, used through the command.
struct TestStore {
  let folder: TemporaryFolder

  /// - Parameter forms: names of the cases' forms, or file names of definitions in the folder.
  init(_ forms: String...) throws {
    folder = try TemporaryFolder()
    guard !forms.isEmpty else { return }
    let result = try run(["form", "add"] + forms.map(Self.definition))
    try #require(result.status == 0, "\(result.errors)")
  }

  /// The file of a form of the cases.
  static func definition(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Cases/forms/\(name).json").path
  }

  func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Formdraft.Result {
    let store = ["FORMDRAFT_STORE": folder.path("test.store")]
    return try Formdraft.run(
      arguments, input: input, environment: store.merging(environment) { $1 }, in: folder)
  }

  func run(_ arguments: String...) throws -> Formdraft.Result { try run(arguments) }

  func shell(_ script: String) throws -> Formdraft.Result {
    try Formdraft.shell(
      script, environment: ["FORMDRAFT_STORE": folder.path("test.store")], in: folder)
  }

  /// Runs a command that must succeed.
  @discardableResult
  func done(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Formdraft.Result {
    let result = try run(arguments)
    try #require(result.status == 0, "\(result.errors)", sourceLocation: sourceLocation)
    return result
  }

  /// Begins a draft. Its id.
  func newDraft(_ form: String, _ options: String...) throws -> String {
    let result = try run(["draft", "new", form] + options)
    try #require(result.status == 0, "\(result.errors)")
    return result.line
  }

  /// The saved values of a draft, as `draft show --json` tells them.
  func values(of draft: String) throws -> JSONObject {
    try #require(try run("draft", "show", draft, "--json").record()["values"]?.objectValue)
  }
}

/// Assignments that make a draft of the cases' form `calculator` valid.
let validCalculator = [
  "loanType=fund", "repayment=interest", "amount=120000.00", "term=30", "rate=3.10",
  "firstPayment=2024-02-01", "idCard=11010519491231002X", "mobile=13800138000",
]

extension JSONValue {
  /// The keys of an object, in their order.
  var keys: [String] { objectValue?.keys ?? [] }
}
