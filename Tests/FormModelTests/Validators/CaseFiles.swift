import Foundation

@testable import FormModel

/// Reads a file of Tests/Cases.
func readCases(_ path: String, from file: String = #filePath) throws -> JSONValue {
  let tests = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let data = try Data(contentsOf: tests.appending(path: "Cases/" + path))
  return try JSONValue(parsing: [UInt8](data))
}
