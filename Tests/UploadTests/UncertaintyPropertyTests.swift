import DraftStore
import DraftSync
import FormModel
import FormSamples
import Foundation
import ServerSupport
import Synchronization
import Testing

/// Whatever is lost or turned away on the way, one record is made and holds what was submitted last.
///
/// `UPLOAD_COURSES` sets how many courses are tried, `UPLOAD_SEED` repeats them.
@Suite struct UncertaintyPropertyTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let courses = environment["UPLOAD_COURSES"].flatMap(Int.init) ?? 40
  private static let seed = environment["UPLOAD_SEED"].flatMap(UInt64.init) ?? 20_261_201

  /// What somebody between the client and the server says, who has not asked it. (422 and a record
  /// that is not there are the server's own word.)
  private static func turnedAway(_ random: inout SeededGenerator, _ method: String) -> Int {
    let any = [300, 302, 307, 400, 401, 403, 405, 407, 408, 413, 421, 425, 451, 500, 502, 503, 511]
    return random.pick(method == "GET" ? any : any + [404, 409, 410, 412, 428, 429])
  }

  /// - Parameter setting: how records are made, and whether the server says 200 to that.
  @Test(arguments: ["POST", "POST 200", "PUT"]) func everyCourseEndsInOneRecord(
    _ setting: String
  ) async throws {
    for course in 0..<Self.courses {
      let rig = try Rig()
      let server = KeyedServer(created: setting == "POST 200" ? 200 : 201)
      server.serve(rig.proxy)
      let create: JSONValue = ["method": "PUT", "ifNoneMatch": true]
      var settings = try rig.keyedSettings(setting == "PUT" ? ["create": create] : [:])
      settings.maximumAttempts = 4
      let seed = Self.seed &+ UInt64(course)
      let random = Mutex(SeededGenerator(seed: seed))
      server.fail { request in
        random.withLock { random in
          switch random.int(0...9) {
          case 0...3: return nil
          case 4, 5:
            server.make(request)
            return .closeAfterReading
          case 6: return .closeAfterReading
          default: return .answer(Self.turnedAway(&random, request.method))
          }
        }
      }
      let id = try rig.device.submitted(["name": "0"])
      for step in 1...10 {
        switch random.withLock({ $0.int(0...3) }) {
        case 0: try rig.device.submit(id, ["name": .string("\(step)")])
        case 1: try rig.device.submit(id, ["city": .string("\(step)")])
        case 2: try rig.device.store.retryOutbox()
        default: break
        }
        rig.device.clock.move(by: .seconds(random.withLock { $0.int(0...1) } * 7200))
        try await rig.push(settings)
        #expect(server.madeCount <= 1, "seed \(seed)")
        #expect(try rig.device.store.conflicts().isEmpty, "seed \(seed)")
      }
      server.fail(nil)
      for _ in 0..<4 {
        try rig.device.store.retryOutbox()
        try await rig.push(settings)
      }
      let left = try rig.device.store.outbox()
      #expect(left.isEmpty, "seed \(seed): \(left)")
      #expect(server.madeCount == 1, "seed \(seed)")
      let held = JSONValue.object(server.record(id.description) ?? [:])
      let param = JSONValue.object(try rig.device.store.param(of: id).param)
      #expect(held.isEquivalent(to: param), "seed \(seed): \(held.jsonText) \(param.jsonText)")
    }
  }
}
