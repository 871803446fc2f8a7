import FormModel
import FormSamples
import Foundation
import Testing

/// The built command, serving a store in a folder that goes with the test.
final class PageServer {
  let folder: String
  private(set) var port = 0
  private(set) var token = ""
  private var process = Process()

  /// The command stands beside the tests' own program.
  private static let command: String = {
    let folders = [
      Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]),
      Bundle.main.executableURL ?? Bundle.main.bundleURL,
    ]
    let candidates = folders.flatMap { folder in
      [folder, folder.deletingLastPathComponent()].map { $0.appendingPathComponent("formdraft") }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }?.path
      ?? "formdraft"
  }()

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("formdraft-page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for form in ["profile", "interests", "calculator"] {
      try run("form", "add", Cases.path("forms/\(form).json"))
    }
    try start()
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A process of the command, and the file that its output goes to. A pipe would be inherited by
  /// the servers of tests that run beside, and never end.
  private func process(_ arguments: [String]) throws -> (Process, output: String) {
    let output = "\(folder)/\(UUID().uuidString).out"
    try Data().write(to: URL(fileURLWithPath: output))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.command)
    process.arguments = ["--store", "\(folder)/test.store"] + arguments
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    return (process, output)
  }

  @discardableResult
  func run(_ arguments: String...) throws -> String {
    let (process, output) = try process(arguments)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Refused(status: process.terminationStatus) }
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: output)), as: UTF8.self)
  }

  struct Refused: Error {
    let status: Int32
  }

  /// Starts, after a first start at the same port.
  func start() throws {
    let (process, output) = try process(["serve", "--port", "\(port)", "--json"])
    try process.run()
    self.process = process
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      try #require(process.isRunning)
      usleep(10_000)
      line = try Data(contentsOf: URL(fileURLWithPath: output))
    }
    let url = try #require(try JSONValue(parsing: Array(line))["url"]?.stringValue)
    let parts = url.components(separatedBy: "/?token=")
    token = parts[1]
    port = try #require(Int(parts[0].components(separatedBy: ":")[2]))
  }

  /// Ends at once, as by kill -9.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks to end, and returns the exit status.
  func end() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The text of a request, as a page of the server sends it.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: the path.
  ///   - body: the body, where there is one.
  ///   - changes: headers that are to be others, or, with nil, to be left out.
  func request(
    _ method: String, _ path: String, _ body: String? = nil, _ changes: [String: String?] = [:]
  ) -> String {
    var headers: [String: String?] = [
      "Host": "127.0.0.1:\(port)", "Cookie": "formdraft-\(port)=\(token)",
    ]
    if let body {
      headers["Content-Type"] = "application/json"
      headers["Content-Length"] = "\(body.utf8.count)"
      headers["Origin"] = "http://127.0.0.1:\(port)"
    }
    for (name, value) in changes { headers[name] = .some(value) }
    let lines = headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
    return "\(method) \(path) HTTP/1.1\r\n\(lines.joined())\r\n\(body ?? "")"
  }

  func ask(
    _ method: String, _ path: String, _ body: String? = nil, _ changes: [String: String?] = [:]
  ) throws -> Answer {
    let connection = try Connection(port: port)
    let closing = changes.merging(["Connection": "close"]) { $1 }
    connection.send(request(method, path, body, closing))
    return try Answer(connection.receive(through: nil))
  }

  func newDraft(_ form: String) throws -> String {
    let answer = try ask("POST", "/drafts", "{\"form\":\"\(form)\"}")
    try #require(answer.status == 201)
    return try #require(try answer.json["id"]?.stringValue)
  }

  /// Sends events, as one page.
  @discardableResult
  func send(_ events: String..., to draft: String, from client: String = "a") throws -> JSONValue {
    let answer = try ask(
      "POST", "/drafts/\(draft)/events",
      "{\"client\":\"\(client)\",\"events\":[\(events.joined(separator: ","))]}")
    try #require(answer.status == 200, "\(answer.body)")
    return try answer.json
  }

  /// The stream of what others change in a draft.
  func changes(of draft: String, for client: String) throws -> Connection {
    let connection = try Connection(port: port)
    connection.send(request("GET", "/drafts/\(draft)/changes?client=\(client)"))
    _ = try connection.event { $0["number"] != nil }
    return connection
  }

  /// The values that the command tells of a draft.
  func values(of draft: String) throws -> JSONValue? {
    try JSONValue(parsing: run("draft", "show", draft, "--json"))["values"]
  }
}
