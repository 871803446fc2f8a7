import FormModel
import Foundation
import Testing

/// Runs the built command as a process of its own.
enum Formdraft {
  struct Result {
    let status: Int32
    let output: String
    let errors: String

    /// The output's lines, each read as JSON.
    func records() throws -> [JSONValue] {
      try output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    /// The output, which is one line of JSON.
    func record() throws -> JSONValue {
      let records = try records()
      try #require(records.count == 1)
      return records[0]
    }

    /// The errors and warnings, each read as JSON.
    func complaints() throws -> [JSONValue] {
      try errors.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    /// The first error as JSON, without its wrapping.
    func error() throws -> JSONValue {
      try #require(try complaints().first?["error"])
    }

    /// The output without its last line end.
    var line: String { output.last == "\n" ? String(output.dropLast()) : output }
  }

  /// The command stands beside the tests' own program.
  static let path: String = {
    let folders = [
      Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]),
      Bundle.main.executableURL ?? Bundle.main.bundleURL,
    ]
    let candidates = folders.flatMap { folder in
      [folder, folder.deletingLastPathComponent()].map { $0.appendingPathComponent("formdraft") }
    }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return found?.path ?? "formdraft"
  }()

  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:],
    in folder: TemporaryFolder
  ) throws -> Result {
    try execute(path, arguments, input: input, environment: environment, in: folder)
  }

  /// Runs lines of bash, in which `formdraft` is the built command.
  static func shell(
    _ script: String, environment: [String: String] = [:], in folder: TemporaryFolder
  ) throws -> Result {
    let folderOfCommand = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var environment = environment
    environment["PATH"] = "\(folderOfCommand):/usr/local/bin:/usr/bin:/bin"
    return try execute(
      "/bin/bash", ["-c", script], environment: environment, in: folder)
  }

  static func execute(
    _ program: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:], in folder: TemporaryFolder
  ) throws -> Result {
    // Files rather than pipes: nothing has to be read while the process runs.
    let name = UUID().uuidString
    let (inputFile, outputFile, errorFile) = (
      folder.path("\(name).in"), folder.path("\(name).out"), folder.path("\(name).err")
    )
    for file in [outputFile, errorFile] { try Data().write(to: URL(fileURLWithPath: file)) }
    try Data(input.utf8).write(to: URL(fileURLWithPath: inputFile))
    defer {
      for file in [inputFile, outputFile, errorFile] {
        try? FileManager.default.removeItem(atPath: file)
      }
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    var variables = ProcessInfo.processInfo.environment
    variables["FORMDRAFT_STORE"] = nil
    process.environment = variables.merging(environment) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.standardInput = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: inputFile))
    process.standardOutput = try FileHandle(
      forWritingTo: URL(fileURLWithPath: outputFile))
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: errorFile))
    try process.run()
    process.waitUntilExit()
    // A crash must never pass for an exit status that a test expects.
    #expect(process.terminationReason == .exit, "\(program) \(arguments) ended by a signal")
    return Result(
      status: process.terminationStatus, output: try text(of: outputFile),
      errors: try text(of: errorFile))
  }

  private static func text(of file: String) throws -> String {
    try #require(String(validating: Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self))
  }
}

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("formdraft-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
