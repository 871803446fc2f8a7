import FormSamples
import Foundation
import Synchronization
import Testing

/// What a sanitizer has to know of the tests.
@Suite struct SanitizerTests {
  /// A program that a test starts is looked at too.
  @Test(
    .enabled(if: Sanitizer.isOn, "scripts/sanitize runs it"),
    arguments: ["formdraft", "fault-helper"])
  func programsAreSanitizedToo(_ name: String) throws {
    let start = try #require(
      ["address": "__asan_init", "thread": "__tsan_init"][Sanitizer.name ?? ""])
    let program = try Data(
      contentsOf: URL(fileURLWithPath: ChildProcess.program(name)), options: .alwaysMapped)
    #expect(program.range(of: Data(start.utf8)) != nil)
  }

  /// Threads that wait for each other; see Tests/Sanitizer/mutex.c.
  @Test func aMutexThatIsWaitedForIsNoRace() {
    let list = Mutex([Int]())
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<2000 {
        list.withLock { list in
          if list.count == 100 { list = [] }
          list.append(number)
        }
      }
    }
    #expect(list.withLock(\.count) == 100)
  }
}
