import DraftDatabase
import DraftStore
import DraftSync
import FaultSupport
import FormModel
import FormSamples
import Foundation
import Testing

/// What must stay between the person and the store.
@Suite struct SecretTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func open() throws -> DraftStore {
    try DraftStore(path: scratch.file(), options: SampleStore.options())
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
  }

  /// Whether any file of the store holds these bytes.
  private func holds(_ text: String) throws -> Bool {
    try scratch.names.contains {
      Data(try scratch.bytes($0)).range(of: Data(text.utf8)) != nil
    }
  }

  @Test func onlyTheOwnerReadsAnyFileOfTheStore() throws {
    let old = umask(0)
    defer { umask(old) }
    let sample = try SampleStore(at: scratch.file())
    let store = try open()
    try store.set(.string("x"), for: "remark", in: sample.plain)
    _ = try store.draft(sample.plain)
    try store.database.backup(to: scratch.file("copy.store"))
    let names = try scratch.names
    #expect(names.contains("test.store-wal") && names.contains("test.store-shm"))
    for name in names { #expect(try mode(name) == 0o600, "\(name)") }
  }

  /// Values of every size, those on pages of their own too.
  @Test func whatWasPurgedIsNotInTheFile() throws {
    _ = try SampleStore(at: scratch.file())
    let store = try open()
    let sizes = [1, 40, 600, 5000, 70_000]
    var drafts: [DraftID] = []
    for size in sizes {
      let draft = try store.newDraft(of: "calculator", title: "TITLE-\(size)").id
      let text = "SECRET-\(size)-" + String(repeating: "s", count: size) + "-END-\(size)"
      try store.edit(draft) { edit in
        for (key, value) in SampleStore.validValues { edit.set(value, for: key) }
        edit.set(.string(text), for: "客户经理备注（不上传）")
        edit.set(.string("NOTE-\(size)"), for: "note")
      }
      try store.submit(draft)
      // An edit, too, writes over what was there.
      try store.set(.string("other"), for: "note", in: draft)
      drafts.append(draft)
    }
    try store.database.checkpoint()
    #expect(try holds("SECRET-70000-") && holds("-END-5000") && holds("NOTE-40"))
    for draft in drafts { try store.discard(draft) }
    #expect(try store.purge().count == sizes.count + 1)
    try store.database.checkpoint()
    for size in sizes {
      for word in ["SECRET-\(size)-", "-END-\(size)", "NOTE-\(size)", "TITLE-\(size)"] {
        #expect(try !holds(word), "\(word) is in the file")
      }
    }
    #expect(try !holds(String(repeating: "s", count: 20)))
    for draft in drafts { #expect(try !holds(draft.description)) }
  }

  @Test func sensitiveValuesAreInNoErrorNorTable() throws {
    let form = """
      {"id":"secret","title":"t","sections":[{"rows":[
        {"kind":"input","key":"密码","serviceKey":"pin","sensitive":true,"requiredType":"required",
         "dataType":"integer"},
        {"kind":"input","key":"公开","serviceKey":"open"}]}]}
      """
    let store = try open()
    try store.add(Form(definition: form))
    let draft = try store.newDraft(of: "secret").id
    let (first, second) = ("731905", "731906")
    try store.set(.string(first), for: "pin", in: draft)
    try store.submit(draft)
    try store.set(.string(second), for: "pin", in: draft)
    var texts: [String] = []
    func failing(_ body: () throws -> Void) {
      do {
        try body()
        Issue.record("no error")
      } catch { texts += ["\(error)", String(reflecting: error as? DatabaseError)] }
    }
    failing { try store.edit(draft) { $0.set(.string("731907"), for: "pin", seenRevision: 1) } }
    try store.set(.string("731908x"), for: "pin", in: draft)
    failing { try store.submit(draft) }
    failing { _ = try store.changes(of: draft) }
    failing { try store.set(.tags(["731909"]), for: "pin", in: draft) }
    // A value that can't be understood, as damage makes them.
    try RawDatabase(scratch.file()).execute(
      "UPDATE draft_value SET type = 'decimal', value = '731910y' WHERE field = 'pin'")
    failing { _ = try store.draft(draft) }
    try RawDatabase(scratch.file()).execute(
      "UPDATE draft_value SET type = 'integer', value = '731911' WHERE field = 'pin'")
    let id = draft.description
    for command in [
      ["diff", id], ["draft", "show", id], ["draft", "set", id, "pin=731912"],
      ["draft", "set", id, "pin=731913z"], ["draft", "set", id, "pin:=[731914"],
      ["draft", "set", id, "pin:=\"731915\"", "--strict"], ["validate", id], ["diff", id],
      ["store", "check"],
    ] {
      let process = try ChildProcess(
        ChildProcess.program("formdraft"), ["--store", scratch.file()] + command, errorsToo: true)
      texts += process.finish().lines
    }
    // The revealed table shows that the values were there to be told.
    let revealed = try ChildProcess.formdraft("--store", scratch.file(), "draft", "show", id)
    #expect(revealed.output.contains("••••"), "\(revealed.output)")
    #expect(texts.count > 10)
    for text in texts { #expect(!text.contains("7319"), "\(text)") }
  }

  /// Keys are data, whatever they hold: through the whole life of a draft nothing but what was
  /// named changes.
  @Test(arguments: [UInt64(1), 2, 3]) func keysAreNeverSQL(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "'", "\"", ";", "--", "/*", "*/", "\u{0}", "👨‍👩‍👧", "`", "]", "\\", "%", "_", "?1", ":a",
      "x'00'", "'); DROP TABLE draft_value; --", "' OR 1=1 --", "\" OR \"\"=\"", "\n", "é",
      "e\u{301}",
      "\u{FFFD}", "NULL", "贷",
    ]
    var keys: [String] = []
    while keys.count < 8 {
      let key = "\(keys.count)" + (0..<random.int(1...4)).map { _ in random.pick(pieces) }.joined()
      keys.append(key)
    }
    let id = "f'; DROP TABLE form; --"
    func definition(_ keys: [String]) -> String {
      let rows = keys.map { key in
        let text = JSONValue.string(key).jsonText
        return #"{"kind":"input","key":\#(text),"serviceKey":\#(text)}"#
      }.joined(separator: ",")
      return
        #"{"id":\#(JSONValue.string(id).jsonText),"title":"'","sections":[{"rows":[\#(rows)]}]}"#
    }
    // What a definition may not hold is refused by name, before anything is written.
    keys.removeAll { key in
      do {
        _ = try Form(definition: definition([key]))
        return false
      } catch {
        return error is DefinitionError
      }
    }
    try #require(keys.count > 3)
    let other = try SampleStore(at: scratch.file())
    let store = try open()
    let form = try Form(definition: definition(keys))
    try store.add(form)
    let untouched = try store.draft(other.edited)
    let subject = random.pick(pieces) + "s"
    let draft = try store.newDraft(of: id, title: random.pick(pieces), subject: subject).id
    for key in keys { try store.set(.string("v" + key), for: key, in: draft) }
    #expect(try store.draft(of: id, about: subject)?.id == draft)
    for key in keys {
      #expect(try store.draft(draft)[key] == .string("v" + key))
      for condition in [
        DraftQuery.Condition(key, .equals("v" + key)), DraftQuery.Condition(key, .contains("v")),
        DraftQuery.Condition(key, .hasPrefix("v")),
      ] {
        let matches = try store.find(DraftQuery([condition])).matches
        #expect(matches.count == 1 && matches.first?.serviceKey == key, "\(key)")
      }
    }
    try store.submit(draft)
    try store.set(.string("'"), for: keys[0], in: draft)
    let changes = try store.changes(of: draft)
    #expect(changes.changes.map(\.serviceKey) == [keys[0]])
    try store.set(nil, for: keys[1], in: draft)
    #expect(try store.draft(draft)[keys[1]] == nil)
    #expect(try store.draft(draft).fields.count == keys.count - 1)
    try store.submit(draft)
    try store.discard(draft)
    #expect(try store.purge().contains(draft))
    #expect(try store.draft(other.edited) == untouched)
    #expect(try store.check() == [])
  }
}
