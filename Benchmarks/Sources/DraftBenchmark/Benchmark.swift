import CFloor
import DraftStore
import DraftSync
import FormModel
import Foundation

struct Benchmark {
  let folder: URL
  let draftCount: Int

  func newFile(_ name: String) -> String {
    let path = folder.appending(path: "\(name).store").path()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    return path
  }

  /// A form of fields `field0`…, every fourth a decimal, the others text.
  func form(_ id: String, fields: Int) -> Form {
    Form(
      id: id,
      sections: [
        Section(
          rows: (0..<fields).map { index in
            Row(
              key: "Field \(index)", serviceKey: "field\(index)",
              kind: .input(InputContent(dataType: index % 4 == 3 ? .decimal : .string)))
          })
      ])
  }

  func values(_ draft: Int, fields: Int) -> [(key: String, value: FieldValue)] {
    (0..<fields).map { index in
      let value: FieldValue =
        index % 4 == 3
        ? .decimal(DecimalNumber(Int64((draft * 7919 + index) % 100_000_000)))
        : .string("value \(draft) of \(index)")
      return ("field\(index)", value)
    }
  }

  private func open(_ path: String, isFullSync: Bool) throws -> OpaquePointer {
    guard let store = floor_open(path, isFullSync ? 1 : 0) else {
      throw BenchmarkError(description: "the floor can't open \(path)")
    }
    return store
  }

  // MARK: Autosave

  func autosave() throws {
    for (synchronous, name) in [
      (DraftStore.Options().synchronous, "autosave of one field, synchronous FULL"),
      (.normal, "autosave of one field, synchronous NORMAL"),
    ] {
      let path = newFile("autosave")
      let store = try DraftStore(path: path, options: .init(synchronous: synchronous))
      try store.add(form("autosave", fields: 20))
      let ids = try store.addDrafts(of: "autosave", values: [values(0, fields: 20)])
      let id = ids[0]
      let floor = try open(path, isFullSync: synchronous == .full)
      defer { floor_close(floor) }
      var comparison = Comparison(name, limit: 1.5)
      var text = 0
      for _ in 0..<(synchronous == .full ? 300 : 2000) {
        text += 1
        try comparison.measure {
          let now = Timestamp.now.milliseconds
          let saved = floor_autosave(floor, id.description, "field1", "text \(text)", now)
          try check(saved > 0, "the floor did not save")
        } ours: {
          try store.set(.string("text \(text) of ours"), for: "field1", in: id)
        }
      }
      print(comparison.line)
      try store.close()
    }
  }

  // MARK: Resume

  func resume() throws {
    let path = newFile("resume")
    let store = try DraftStore(path: path)
    try store.add(form("resume", fields: 100))
    let ids = try store.addDrafts(
      of: "resume", values: (0..<1000).map { values($0, fields: 100) })
    let floor = try open(path, isFullSync: true)
    defer { floor_close(floor) }
    var comparison = Comparison("resume of 100 fields into typed values", limit: 2.5)
    for round in 0..<2000 {
      let id = ids[round * 7919 % ids.count]
      try comparison.measure {
        try check(floor_resume(floor, id.description) == 100, "the floor read other fields")
      } ours: {
        try check(try store.draft(id).fields.count == 100, "the store read other fields")
      }
    }
    print(comparison.line)
  }

  // MARK: Change set

  func changes() throws {
    let path = newFile("changes")
    let store = try DraftStore(path: path)
    try store.add(form("changes", fields: 1000))
    let id = try store.addDrafts(of: "changes", values: [values(1, fields: 1000)])[0]
    try store.submit(id)
    try store.edit(id) { edit in
      for index in 0..<10 { edit.set(.string("changed"), for: "field\(index * 100)") }
    }
    let floor = try open(path, isFullSync: true)
    defer { floor_close(floor) }
    var comparison = Comparison("change set of 1,000 fields", limit: 2)
    for _ in 0..<300 {
      try comparison.measure {
        try check(floor_changes(floor, id.description) == 10, "the floor found other changes")
      } ours: {
        try check(try store.changes(of: id).changes.count == 10, "the store found other changes")
      }
    }
    print(comparison.line)
  }

  // MARK: Bulk insert and queries

  func bulkAndQueries() throws {
    let (ourPath, floorPath) = (newFile("ours"), newFile("floor"))
    let store = try DraftStore(path: ourPath)
    try store.add(form("bulk", fields: 20))
    try DraftStore(path: floorPath).add(form("bulk", fields: 20))
    let floor = try open(floorPath, isFullSync: true)
    var comparison = Comparison("bulk insert of a draft of 20 fields", limit: 2)
    let batch = max(1, draftCount / 10)
    for round in 0..<10 {
      let drafts = (round * batch)..<((round + 1) * batch)
      try comparison.measure(count: batch) {
        let now = Timestamp.now.milliseconds
        let added = floor_bulk(floor, "bulk", Int64(drafts.lowerBound), Int64(batch), 20, now)
        try check(added == Int64(batch), "the floor added other drafts")
      } ours: {
        try store.addDrafts(of: "bulk", values: drafts.lazy.map { values($0, fields: 20) })
      }
      if round == 0 { try queries(store, ourPath, "\(batch) drafts") }
    }
    print(comparison.line)
    floor_close(floor)
    try queries(store, ourPath, "\(batch * 10) drafts")
    try store.database.checkpoint()
    let statistics = try store.statistics()
    print(
      """
      store: \(statistics.values) values in \(statistics.fileSize / 1_000_000) MB, \
      \(statistics.fileSize / max(1, statistics.values)) bytes a value
      """)
    try opening(ourPath)
    try export(store)
  }

  /// From a closed store to the first field of a draft.
  private func opening(_ path: String) throws {
    let store = try DraftStore(path: path)
    let ids = try store.drafts(DraftFilter(limit: 200)).map(\.id)
    try store.close()
    var comparison = Comparison("open the store and read a draft")
    for id in ids {
      try comparison.measure {
        let floor = try open(path, isFullSync: true)
        try check(floor_resume(floor, id.description) == 20, "the floor read other fields")
        floor_close(floor)
      } ours: {
        let store = try DraftStore(path: path)
        try check(try store.draft(id).fields.count == 20, "the store read other fields")
        try store.close()
      }
    }
    print(comparison.line)
  }

  private func queries(_ store: DraftStore, _ path: String, _ size: String) throws {
    let floor = try open(path, isFullSync: true)
    defer { floor_close(floor) }
    let count = try store.statistics().drafts[.editing] ?? 0
    var equals = Comparison("query: one hit among \(size)", limit: 1.5)
    var less = Comparison("query: 100 smallest numbers among \(size)", limit: 1.5)
    let bound = DecimalNumber(50_000_000)
    for round in 0..<500 {
      let text = "value \(round * 7919 % count) of 5"
      try equals.measure {
        try check(floor_equals(floor, "field5", text, 101) == 1, "the floor found other drafts")
      } ours: {
        let page = try store.find(DraftQuery([.init("field5", .equals(text))]))
        try check(page.matches.count == 1, "the store found other drafts")
      }
      try less.measure {
        let key = bound.sortKey
        let hits = floor_less(floor, "field3", key, Int32(key.count), 101)
        try check(hits > 0, "the floor found nothing")
      } ours: {
        let page = try store.find(DraftQuery([.init("field3", .lessThan(bound.text))]))
        try check(!page.matches.isEmpty, "the store found nothing")
      }
    }
    print(equals.line)
    print(less.line)
  }

  private func export(_ store: DraftStore) throws {
    let clock = ContinuousClock()
    var bytes = 0
    let time = try clock.measure {
      try store.export(ExportOptions(format: .csv, scope: .drafts)) { bytes += $0.count }
    }
    let seconds = Comparison.microseconds(time) / 1e6
    print(
      """
      export to CSV: \(bytes / 1_000_000) MB in \(Comparison.rounded(seconds)) s, \
      peak memory \(Self.peakMemory / 1_000_000) MB of this process
      """)
  }
}
