import CFaultVFS
import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation

/// One action on a copy of a store, while something fails, and what must hold afterwards.
final class Trials {
  let action: Action
  let folder: String
  let sample: SampleStore
  /// What is sent to the server, in actions that are about that.
  let task: OutboxTask?
  let before: StoreContent
  let after: StoreContent
  let synchronous: Database.Configuration.Synchronous
  private(set) var count = 0
  private(set) var faultCount = 0
  let reading = Reading()
  private let template: [UInt8]
  private var wrongCount = 0
  /// How often each error followed on each fault.
  private var errors: [String: Int] = [:]

  var path: String { folder + "/trial.store" }

  init(
    _ action: Action, folder: String,
    synchronous: Database.Configuration.Synchronous = .full
  ) throws {
    self.action = action
    self.synchronous = synchronous
    self.folder = folder
    let path = folder + "/template.store"
    (sample, task) = try action.prepare(path)
    template = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    before = try StoreContent(of: path, knownDrafts: sample.ids)
    let session = Session(action, path, sample, task, reading)
    try session.attempt()
    session.close()
    after = try StoreContent(of: path, knownDrafts: sample.ids)
    guard before != after || action == .backup || action == .read else {
      throw CocoaError(.featureUnsupported)
    }
  }

  func wrong(_ what: String) {
    wrongCount += 1
    // The first ones tell enough.
    if wrongCount <= 20 { print("wrong: \(action) \(what)") }
  }

  func counted(_ happened: Bool) {
    count += 1
    if happened { faultCount += 1 }
  }

  func summary() {
    for (error, count) in errors.sorted(by: { $0.key < $1.key }) {
      print("note: \(action) \(error) ×\(count)")
    }
    print("done: \(action) \(count) trials, \(faultCount) faults, \(wrongCount) wrong")
  }

  func renew() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix("trial.store") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    let file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0o600)
    guard write(file, template, template.count) == template.count, Foundation.close(file) == 0
    else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Makes the action's attempt with a fault. Whether the fault happened.
  func run(_ fault: Fault, nth: Int) throws -> Bool {
    try renew()
    let session = Session(action, path, sample, task, reading)
    fault.arm(nth)
    var failure: (any Error)?
    do { try session.attempt() } catch { failure = error }
    var happened = fault_disarm() != 0
    let name = "\(fault) at \(nth)"
    if let failure {
      check(failure, of: fault, name, happened: happened)
      if !fault.stays { retry(session, name) }
      session.close()
    } else {
      // Closing may meet the fault, too.
      fault.arm(nth - Int(fault_count()))
      if happened, !fault.stays { fault_disarm() }
      session.close()
      happened = fault_disarm() != 0 || happened
    }
    counted(happened)
    verify(name, mustBeDone: failure == nil || !fault.stays)
    return happened
  }

  /// The same store serves on: nothing hangs on from the failed attempt.
  private func retry(_ session: Session, _ name: String) {
    do {
      if action != .unsafeEdit {
        let content = try StoreContent(of: path, knownDrafts: sample.ids)
        if content != before {
          wrong("\(name): failed and changed\n\(content.difference(from: before))")
        }
      }
      try session.attempt()
    } catch {
      wrong("\(name): can't be done again: \(error)")
    }
  }

  private func check(_ failure: any Error, of fault: Fault, _ name: String, happened: Bool) {
    guard happened else { return wrong("\(name): failed without a fault: \(failure)") }
    guard let error = failure as? DatabaseError else {
      if action != .unsafeEdit { wrong("\(name): an unclear error: \(failure)") }
      return
    }
    errors["\(fault.kindName) \(fault.code) → \(error.code)", default: 0] += 1
    if error.message.isEmpty || !fault.explains(error.code) {
      wrong("\(name): an error that misleads: \(error.code) \(error) \(error.sql ?? "")")
    }
  }

  /// What must hold whatever happened.
  func verify(_ name: String, mustBeDone: Bool) {
    do {
      let problems: [String]
      if action.isMigration {
        let database = try Database(path: path, configuration: Session.configuration)
        problems = try database.checkIntegrity()
        try database.close()
      } else {
        let store = try DraftStore(path: path, options: SampleStore.options())
        problems = try store.check()
        try store.close()
      }
      if !problems.isEmpty { wrong("\(name): \(problems)") }
      let content = try StoreContent(of: path, knownDrafts: sample.ids)
      if content != after, content != before {
        wrong("\(name): done in part\n\(content.difference(from: before))")
      } else if mustBeDone, content != after {
        wrong("\(name): acknowledged and lost")
      }
      try verifyCopies(name, mustBeThere: mustBeDone)
    } catch {
      wrong("\(name): does not open: \(error)")
    }
  }

  /// A copy is whole or not there, and nothing of an unfinished one is left.
  private func verifyCopies(_ name: String, mustBeThere: Bool) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let left = names.filter { $0.contains("partial") }
    if !left.isEmpty { wrong("\(name): left \(left)") }
    let before = action.newVersion.map { "\(path).before-\($0)" }
    guard let copy = action == .backup ? path + ".copy" : before else { return }
    guard FileManager.default.fileExists(atPath: copy) else {
      if mustBeThere { wrong("\(name): no copy") }
      return
    }
    let raw = try RawDatabase(copy)
    if try raw.rows("PRAGMA integrity_check") != [["ok"]] { wrong("\(name): a damaged copy") }
    let content = try StoreContent(of: copy, knownDrafts: sample.ids)
    if content != self.before {
      wrong("\(name): another copy\n\(content.difference(from: self.before))")
    }
  }
}
