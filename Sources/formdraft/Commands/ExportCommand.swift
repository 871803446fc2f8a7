import DraftStore
import FormModel

extension Command {
  static let export = Command(
    name: "export", abstract: "writes submissions or drafts as json, ndjson, csv or urlencoded",
    discussion: """
      Two exports of the same data are the same bytes. In csv, a cell that a spreadsheet would run
      as a formula is neutralised unless --raw-cells says not to. With --output the file appears
      under its name when it is whole.
      """,
    examples: ["--store visits.store export --format csv --form visit --output visits.csv"],
    options: [
      OptionDescription(
        name: "--format", value: "F", abstract: "json, ndjson, csv or urlencoded",
        completion: .words(ExportFormat.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--form", value: "F", abstract: "only of this form", completion: .forms),
      OptionDescription(
        name: "--in", value: "WHERE", abstract: "submissions (default) or drafts",
        completion: .words(RecordScope.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--status", value: "S", abstract: "only editing, submitted or discarded drafts",
        isRepeatable: true, completion: .words(DraftStatus.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--output", value: "FILE", abstract: "the file; else the standard output",
        completion: .files),
      OptionDescription(name: "--raw-cells", abstract: "leaves cells of a csv as they are"),
      OptionDescription(
        name: "--byte-order-mark", abstract: "begins a csv with one, as some spreadsheets want"),
    ]
  ) { invocation in
    guard let format = try invocation.choice("--format", of: ExportFormat.self) else {
      throw UsageError("give --format: json, ndjson, csv or urlencoded", invocation.path)
    }
    var options = ExportOptions(format: format)
    options.scope = try invocation.choice("--in", of: RecordScope.self) ?? .submissions
    options.form = invocation.value("--form")
    let statuses = try invocation.choices("--status", of: DraftStatus.self)
    if !statuses.isEmpty { options.statuses = Set(statuses) }
    options.guardsFormulas = !invocation.has("--raw-cells")
    options.byteOrderMark = invocation.has("--byte-order-mark")
    let store = try invocation.openStore(.reading)
    if let form = options.form { _ = try store.form(form) }
    guard let path = invocation.value("--output"), path != "-" else {
      try export(from: store, options) { try Console.print(bytes: $0) }
      return .done
    }
    guard !["", "-wal", "-shm"].contains(where: { System.isSameFile(path, store.path + $0) })
    else {
      throw CommandFailure(
        status: .data, code: "file", message: "\(path) is the store itself; choose another name")
    }
    let file = try OutputFile(path)
    do {
      try export(from: store, options) { try file.write($0) }
    } catch {
      file.abandon()
      throw error
    }
    try file.finish()
    return .done
  }

  private static func export(
    from store: DraftStore, _ options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws {
    var progress = ProgressLine()
    defer { progress.end() }
    _ = try store.export(
      options, progress: { done, total in progress.show(done, of: total) }, to: sink)
  }
}
