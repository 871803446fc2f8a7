import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import FormSamples
import Foundation
import Migrations
import Testing

/// Stores of released schemas become stores of this one, with all that is in them.
@Suite struct SchemaTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A file of a released schema, from its dump.
  private func makeFile(ofVersion version: Int, _ name: String = "test.store") throws {
    try RawDatabase(scratch.file(name)).execute(SampleStore.dump(ofVersion: version))
  }

  /// The rows of some columns of every table.
  private func rows(_ name: String, _ columns: [String: [String]]) throws -> [String: [[String]]] {
    let raw = try RawDatabase(scratch.file(name))
    var rows: [String: [[String]]] = [:]
    for (table, names) in columns {
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      rows[table] = try raw.rows("SELECT \(list) FROM \"\(table)\" ORDER BY \(list)")
    }
    return rows
  }

  private func columns(_ name: String) throws -> [String: [String]] {
    let raw = try RawDatabase(scratch.file(name))
    var columns: [String: [String]] = [:]
    for table in try raw.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    {
      columns[table[0]] = try raw.rows("SELECT name FROM pragma_table_xinfo('\(table[0])')")
        .map { $0[0] }
    }
    return columns
  }

  /// The versions of schemas that were released before this one.
  static let released = Array(1..<SchemaMigrations.newestVersion)

  @Test(arguments: released) func aStoreOfAReleasedSchemaKeepsItsData(_ version: Int) throws {
    try makeFile(ofVersion: version)
    try makeFile(ofVersion: version, "old.store")
    let store = try DraftStore(path: scratch.file())
    #expect(try store.check() == [])
    let old = try columns("old.store")
    let new = try columns("test.store")
    // A later schema may rename or drop; then the step's own test says what becomes of the data.
    let shared = old.filter { table, names in Set(names).isSubset(of: Set(new[table] ?? [])) }
    #expect(shared.count > 8)
    #expect(try rows("old.store", shared) == rows("test.store", shared))
    let drafts = try store.drafts(DraftFilter(statuses: Set(DraftStatus.allCases)))
    #expect(drafts.count == 3)
    let draft = try #require(drafts.first { $0.subject == "张三" })
    let values = try store.draft(draft.id)
    #expect(values["rate"]?.text == "3.1500")
    #expect(values["remark"] == .string(""))
    #expect(values["amount"]?.text == "120000.00")
    let submission = try store.submission(of: draft.id)
    #expect(
      submission.entries.first { $0.serviceKey == "remark" }?.value
        == .string("naïve 🇨🇳 e\u{301} \"q\""))
    try store.set(.string("on"), for: "remark", in: draft.id)
    #expect(try store.submit(draft.id).number == 2)
    if version >= 2 {
      #expect(try store.history(of: draft.id).undoCount == 1)
      #expect(try store.conflicts().map(\.serviceKey) == ["rate"])
    }
    try store.close()
    #expect(
      try scratch.names.contains("test.store.before-\(SchemaMigrations.newestVersion)"))
  }

  /// The released steps are never edited: the dump's schema is what they make.
  @Test(arguments: released) func theReleasedStepsMakeTheReleasedSchema(_ version: Int) throws {
    try makeFile(ofVersion: version, "old.store")
    let database = try Database(
      path: scratch.file(),
      configuration: Database.Configuration(
        applicationID: 0x4644_5331, newestVersion: SchemaMigrations.newestVersion))
    try database.migrate(Array(SchemaMigrations.all.prefix(version)))
    try database.close()
    func schema(_ name: String) throws -> [[String]] {
      try RawDatabase(scratch.file(name)).rows(
        """
        SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name
        """)
    }
    #expect(try schema("test.store") == schema("old.store"))
  }

  /// Where the first page is gone, the pages are read as those of the schema that made them.
  @Test(arguments: released) func aReleasedSchemaWithoutItsFirstPageIsRecovered(
    _ version: Int
  ) throws {
    let database = try Database(
      path: scratch.file(),
      configuration: Database.Configuration(
        applicationID: 0x4644_5331, newestVersion: SchemaMigrations.newestVersion))
    try database.migrate(Array(SchemaMigrations.all.prefix(version)))
    try database.write { connection in
      for number in 0..<200 {
        try connection.run("INSERT INTO form VALUES (?, 0)", .text("a form's long id \(number)"))
      }
    }
    try database.close()
    var bytes = try scratch.bytes()
    for place in 0..<4096 { bytes[place] = 0xA5 }
    try scratch.write(bytes)
    let recovery = try DraftStore.recover(scratch.file(), to: scratch.file("new.store"))
    #expect(recovery.isComplete, "\(recovery.losses)")
    #expect(recovery.tables.first { $0.name == "form" }?.savedCount == 200)
    #expect(try DraftStore(path: scratch.file("new.store")).check() == [])
  }

  /// A damaged store of an old schema is recovered into one of this.
  @Test(arguments: released) func aStoreOfAReleasedSchemaIsRecovered(_ version: Int) throws {
    try makeFile(ofVersion: version)
    let recovery = try DraftStore.recover(scratch.file(), to: scratch.file("new.store"))
    #expect(recovery.isComplete, "\(recovery.losses)")
    #expect(recovery.tables.first { $0.name == "draft" }?.savedCount == 3)
    #expect(try DraftStore(path: scratch.file("new.store")).check() == [])
  }
}
