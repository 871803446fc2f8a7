import DraftDatabase
import Foundation
import Synchronization
import Testing

@Suite struct ConcurrencyTests {
  let folder: Folder
  let database: Database
  init() throws {
    folder = try Folder()
    database = try folder.database()
  }

  @Test func threadsLoseNothing() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      #expect(throws: Never.self) {
        for number in 0..<50 {
          try database.insert(.integer(thread * 1000 + number))
          _ = try database.count()
        }
      }
    }
    let values = try database.values()
    #expect(values.count == 400)
    for thread in 0..<8 {
      // Each thread's values are there, in its order.
      let own = values.compactMap { value -> Int64? in
        guard case .integer(let number) = value, number / 1000 == thread else { return nil }
        return number % 1000
      }
      #expect(own == Array(0..<50))
    }
  }

  @Test func tasksLoseNothing() async throws {
    let database = database
    try await withThrowingTaskGroup { group in
      for task in 0..<500 {
        group.addTask {
          if task % 5 == 4 {
            let pair = try await database.read { connection in
              try connection.first("SELECT count(*), count(DISTINCT v) FROM t") {
                ($0.integer(0), $0.integer(1))
              }
            }
            #expect(pair?.0 == pair?.1)
          } else {
            try await database.write { connection in
              try connection.run("INSERT INTO t (v) VALUES (?)", .integer(task))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try database.count() == 400)
    #expect(try database.checkIntegrity() == [])
  }

  @Test func asyncFormsRollBackToo() async throws {
    let database = database
    await #expect(throws: CancellationError.self) {
      try await database.write { connection in
        try connection.run("INSERT INTO t (v) VALUES (1)")
        throw CancellationError()
      }
    }
    #expect(
      try await database.read { try $0.first("SELECT count(*) FROM t") { $0.integer(0) } } == 0)
  }

  @Test func readersSeeOneStateWhileAWriterCommits() throws {
    try database.insert(1)
    let database = database
    try database.read { (connection) throws in
      func count() throws -> Int64? {
        try connection.first("SELECT count(*) FROM t") { $0.integer(0) }
      }
      #expect(try count() == 1)
      let writer = Thread { try? database.insert(2, 3) }
      writer.start()
      while !writer.isFinished { usleep(500) }
      #expect(try count() == 1)
    }
    #expect(try database.count() == 3)
  }

  @Test func readersNeverSeeHalfATransaction() throws {
    let database = database
    let isDone = Atomic(false)
    let odd = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 5) { thread in
      if thread == 0 {
        for _ in 0..<150 { try? database.insert(1, 2) }
        isDone.store(true, ordering: .releasing)
      } else {
        var last: Int64 = 0
        while !isDone.load(ordering: .acquiring) {
          let count = (try? database.count()) ?? -1
          // Even, and never fewer than before.
          if count % 2 != 0 || count < last { odd.add(1, ordering: .relaxed) }
          last = count
        }
      }
    }
    #expect(odd.load(ordering: .relaxed) == 0)
    #expect(try database.count() == 300)
  }

  @Test func readersReadAtTheSameTime() throws {
    let database = database
    let inside = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      try? database.read { _ in
        inside.add(1, ordering: .sequentiallyConsistent)
        let end = Date(timeIntervalSinceNow: 20)
        while inside.load(ordering: .sequentiallyConsistent) < 2, Date() < end { usleep(500) }
        #expect(inside.load(ordering: .sequentiallyConsistent) == 2)
      }
    }
  }

  @Test func twoDatabasesOnOneFile() throws {
    let other = try folder.database()
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      #expect(throws: Never.self) {
        for _ in 0..<100 { try (index == 0 ? database : other).insert(1) }
      }
    }
    #expect(try database.count() == 200)
    #expect(try other.count() == 200)
    try other.close()
    try database.insert(2)
    #expect(try database.count() == 201)
  }

  @Test func aLockThatIsHeldTooLongIsTold() throws {
    let hasty = try Database(
      path: folder.file(), configuration: .test(busyTimeout: .milliseconds(50)))
    try database.write { (connection) throws in
      try connection.run("INSERT INTO t (v) VALUES (1)")
      let start = ContinuousClock.now
      let error = failure { try hasty.insert(2) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("try again") == true)
      #expect(ContinuousClock.now - start >= .milliseconds(50))
      // Reading goes on meanwhile.
      #expect(try hasty.count() == 0)
    }
    try hasty.insert(2)
    #expect(try database.values() == [1, 2])
  }

  @Test func strangeTimeoutsAreTaken() throws {
    for timeout in [
      Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max),
    ] {
      let database = try folder.database("test.db", .test(busyTimeout: timeout))
      #expect(try database.count() == 0)
      try database.close()
    }
  }

  @Test func threadsOpenANewFileAtTheSameTime() throws {
    for round in 0..<10 {
      let name = "new\(round).db"
      DispatchQueue.concurrentPerform(iterations: 6) { _ in
        #expect(throws: Never.self) { try folder.database(name).insert(1) }
      }
      let database = try folder.database(name)
      #expect(try database.count() == 6)
      #expect(try database.checkIntegrity() == [])
    }
  }
}
