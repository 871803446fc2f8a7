import DraftStore
import DraftSync
import FormModel
import FormSamples
import Foundation
import ServerSupport
import Synchronization
import Testing

/// Uploader processes that die at any moment, and answers that get lost.
///
/// `UPLOAD_CHANGE_SETS` and `UPLOAD_DRAFTS` set how much is sent (1,000 over 100 for the full run),
/// `UPLOAD_SEED` repeats a run.
@Suite(.serialized) struct KillTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let changeSets =
    environment["UPLOAD_CHANGE_SETS"].flatMap(Int.init) ?? Sanitizer.fewer(100)
  private static let drafts = environment["UPLOAD_DRAFTS"].flatMap(Int.init) ?? 20
  private static let seed = environment["UPLOAD_SEED"].flatMap(UInt64.init) ?? 20_261_201

  /// The built command, beside the tests' own program.
  private static let command: String = {
    let folders = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
    let candidates = folders.flatMap { folder in
      [folder, folder.deletingLastPathComponent()].map { $0.appendingPathComponent("formdraft") }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }?.path
      ?? "formdraft"
  }()

  /// A store that is edited here and pushed by processes.
  private struct Field {
    let rig: Rig
    let store: DraftStore
    let ids: [DraftID]
    let settings: String

    init(drafts: Int) throws {
      let rig = try Rig()
      // The processes have the system's clock.
      let store = try DraftStore(
        path: rig.device.folder + "/test.store",
        options: .init(synchronous: .normal, busyTimeout: .seconds(60)))
      ids = try (0..<drafts).map { _ in try store.newDraft(of: "person", isWritten: true).id }
      (self.rig, self.store) = (rig, store)
      settings = rig.device.folder + "/settings.json"
      let json: JSONValue = [
        "url": .string("http://127.0.0.1:\(rig.proxy.port)\(Kinto.collection)/records/{id}"),
        "envelope": "data", "credentials": ["basicFromEnvironment": "KINTO_ACCOUNT"],
        "timeouts": ["connect": 2, "total": 2],
        "retry": try JSONValue(parsing: #"{"first": 0.02, "limit": 0.1, "attempts": 1000}"#),
      ]
      try Data(json.jsonText.utf8).write(to: URL(fileURLWithPath: settings))
    }

    /// A random change of a draft, submitted.
    func change(_ random: inout SeededGenerator) throws {
      let id = random.pick(ids)
      try store.edit(id) { edit in
        for key in ["name", "city", "phone", "note"] where random.oneIn(3) {
          edit.set(random.oneIn(5) ? nil : .string("\(random.int(0...9999))"), for: key)
        }
        edit.set(.integer(Int64(random.int(0...1_000_000))), for: "age")
      }
      try store.submit(id)
    }

    func push() throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: KillTests.command)
      process.arguments = ["--store", store.path, "push", "--to", settings]
      process.environment = KillTests.environment.merging(["KINTO_ACCOUNT": Kinto.account]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// Pushes until nothing is left. Leases of the dead have to run out.
    func finish(processes: Int) throws {
      for _ in 0..<600 {
        let running = try (0..<processes).map { _ in try push() }
        for process in running { process.waitUntilExit() }
        if try store.outbox().isEmpty { return }
        usleep(100_000)
      }
      Issue.record("the outbox does not get empty: \(try store.outbox())")
    }

    func expectAllUploaded() throws {
      #expect(try store.outbox().isEmpty)
      #expect(try store.conflicts().isEmpty)
      for id in ids where try store.submissionNumber(of: id) != nil {
        let held = try #require(rig.kinto.record(id.description))
        let param = try store.param(of: id).param
        #expect(JSONValue.object(held).isEquivalent(to: .object(param)), "\(id)")
      }
      #expect(try store.check().isEmpty)
    }
  }

  private static func fail(_ proxy: Proxy, seed: UInt64) {
    let random = Mutex(SeededGenerator(seed: seed))
    proxy.always { _ in
      random.withLock { random in
        switch random.int(0...15) {
        case 0...2: .loseAnswer
        case 3: .closeAfterReading
        case 4: .cutBody
        case 5: .answer(503)
        case 6: .answer(500, body: "<html>oops</html>")
        case 7: .delay(milliseconds: random.int(1...80))
        default: .pass
        }
      }
    }
  }

  @Test(arguments: [1, 8]) func killedUploadersLoseAndDoubleNothing(_ processes: Int) throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(processes))
    let field = try Field(drafts: Self.drafts)
    Self.fail(field.rig.proxy, seed: Self.seed)
    var left = Self.changeSets
    var kills = 0
    while left > 0 {
      let running = try (0..<processes).map { _ in try field.push() }
      for _ in 0..<min(left, random.int(1...2 * processes + 4)) {
        try field.change(&random)
        left -= 1
      }
      for process in running {
        usleep(UInt32(random.int(0...250) * 1000))
        guard !random.oneIn(4) else { continue }
        if process.isRunning {
          kill(process.processIdentifier, SIGKILL)
          kills += 1
        }
      }
      for process in running { process.waitUntilExit() }
    }
    // Lost answers go on to the end.
    try field.finish(processes: processes)
    try field.expectAllUploaded()
    #expect(kills > 0)
  }

  /// Without faults, eight processes send as much as one would.
  @Test func eightProcessesSendEachChangeSetOnce() throws {
    let field = try Field(drafts: Self.drafts)
    var random = SeededGenerator(seed: Self.seed)
    for _ in 0..<Self.changeSets { try field.change(&random) }
    let queued = try field.store.outbox().count
    try field.finish(processes: 8)
    try field.expectAllUploaded()
    #expect(field.rig.proxy.mutations.count == queued)
  }
}

extension DraftStore {
  /// The number of a draft's last submission, or nil when there is none.
  fileprivate func submissionNumber(of id: DraftID) throws -> Int? {
    try draftWithBase(id, options: FormParam.Options()).base?.number
  }
}
