import DraftDatabase
import DraftStore
import FormModel
import FormSamples

/// A store with something of everything, and a clock that stands still.
public struct SampleStore: Sendable {
  public static let moment = Timestamp(milliseconds: 1_700_000_000_000)
  /// A draft of the form `calculator` that was submitted and edited since.
  public let edited: DraftID
  /// A draft of the form `interests`.
  public let tagged: DraftID
  /// A discarded draft with a submission and a long value.
  public let discarded: DraftID
  /// A draft of the form `calculator`, in which nothing is submitted.
  public let plain: DraftID

  public var ids: [String] { [edited, tagged, discarded, plain].map(\.description) }

  /// How the tests open stores.
  public static func options(
    synchronous: Database.Configuration.Synchronous = .full, busyTimeout: Duration = .seconds(5)
  ) -> DraftStore.Options {
    DraftStore.Options(
      synchronous: synchronous, busyTimeout: busyTimeout, now: { SampleStore.moment })
  }

  /// The SQL that makes a store of a released schema, with data.
  public static func dump(ofVersion version: Int) throws -> String {
    let path = "\(Cases.packagePath)/Tests/Fixtures/schema-\(version).sql"
    return String(decoding: try Cases.bytes(atPath: path), as: UTF8.self)
  }

  /// A form of the cases.
  public static func form(_ name: String) throws -> Form {
    try Form(definition: Cases.text("forms/\(name).json"))
  }

  /// The form `calculator` with a renamed field.
  public static func nextCalculator() throws -> Form {
    let text = try Cases.text("forms/calculator.json")
    let renamed = text.split(
      separator: #""serviceKey": "remark""#, omittingEmptySubsequences: false
    )
    .joined(separator: #""serviceKey": "note", "formerKeys": ["remark"]"#)
    return try Form(definition: renamed)
  }

  /// Values with which a draft of `calculator` is valid.
  public static let validValues: [(String, FieldValue)] = [
    ("loanType", .option("fund")), ("repayment", .option("interest")),
    ("amount", .string("120000.00")), ("term", .option(30)), ("rate", .string("3.10")),
    ("firstPayment", .string("2024-02-01")), ("idCard", .string("11010519491231002X")),
    ("mobile", .string("13800138000")),
  ]

  /// Makes the store, and closes it.
  public init(at path: String) throws {
    let store = try DraftStore(path: path, options: Self.options())
    for name in ["calculator", "interests", "profile"] { try store.add(Self.form(name)) }
    func submitted(_ remark: String) throws -> DraftID {
      let id = try store.newDraft(of: "calculator", title: "标题").id
      try store.edit(id) { edit in
        for (key, value) in Self.validValues { edit.set(value, for: key) }
        edit.set(.string(remark), for: "remark")
      }
      try store.submit(id)
      return id
    }
    edited = try submitted("备注")
    try store.set(.string("后来"), for: "remark", in: edited)
    tagged = try store.newDraft(of: "interests", subject: "person").id
    try store.selectTags(adding: ["music", "film"], of: "interests", in: tagged)
    discarded = try submitted(String(repeating: "长文", count: 240))
    try store.discard(discarded)
    plain = try store.newDraft(of: "calculator").id
    try store.set(.string("kept"), for: "remark", in: plain)
    try store.add(Self.nextCalculator())
    try store.close()
  }
}
