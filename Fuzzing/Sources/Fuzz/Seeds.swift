import FormModel
import Foundation

/// Corpora to begin with, made of the package's cases and examples.
struct Seeds {
  let package: String
  let folder: String
  private var counts = Counts()

  private final class Counts {
    var byTarget: [String: Int] = [:]
  }

  private var cases: String { "\(package)/Tests/Cases" }

  init(package: String, folder: String) {
    self.package = package
    self.folder = folder
  }

  func write() throws {
    for target in Target.all.keys {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(target)", withIntermediateDirectories: true)
    }
    try writeForms()
    try writeValues()
    try writePatches()
    try writeSettings()
    for answer in Self.answers { try add(Array(answer.utf8), to: "answers") }
    for pattern in [
      "[0-9]{0,12}(\\.[0-9]{0,2})?\n12.34\nabc", "(a|aa)+$\naaaaaaaaaaaaaaaaab",
      "\\p{Han}{2,8}|[^\\x00-\\x7F]*\n张三", "^(?:1[3-9]\\d{9})?\n13800138000",
      "(x+x+)+y\nxxxxxxxxxx",
    ] { try add(Array(pattern.utf8), to: "pattern") }
    for text in ["a=1&b=%E4%B8%AD+x&&=&c", "a%zz=%4&+=+"] {
      try add(Array(text.utf8), to: "urlencoded")
    }
    for text in [
      "a,b\r\n\"x\"\"y\",\"1\r\n2\"\r\n", "\u{FEFF}001,=1+1,'-2\n,,\"\"\n", "\"open", "a\"b,c\r",
    ] {
      try add([0] + Array(text.utf8), to: "csv")
      try add([1] + Array(text.utf8), to: "csv")
    }
  }

  private func writeForms() throws {
    let folders = ["\(cases)/forms", "\(package)/Examples/Forms"]
    for path in try folders.flatMap(files) {
      let bytes = try bytes(path)
      try add(bytes, to: "definition")
      try add(bytes, to: "json")
    }
  }

  private func writeValues() throws {
    for path in try files("\(cases)/values") {
      var texts: [String] = []
      Self.collect(try JSONValue(parsing: bytes(path)), &texts)
      for text in texts {
        let utf8 = Array(text.utf8)
        for type in DataType.allCases.indices.prefix(8) {
          try add([UInt8(type)] + utf8, to: "value")
        }
        try add(Array(JSONValue.string(text).jsonText.utf8), to: "json")
        try add([0] + utf8, to: "csv")
        try add(utf8, to: "urlencoded")
      }
    }
  }

  private func writePatches() throws {
    let names = ["merge-patch.json", "json-patch/tests.json", "json-patch/spec_tests.json"]
    for name in names {
      // One of the suites has a key twice on purpose, and is no JSON here.
      let suite = try? JSONValue(parsing: bytes("\(cases)/suites/\(name)"))
      for test in suite?.arrayValue ?? [] {
        guard let patch = test["patch"], let document = test["original"] ?? test["doc"] else {
          continue
        }
        try add(Array("\(patch.jsonText)\n\(document.jsonText)".utf8), to: "patch")
        let result = test["result"] ?? test["expected"] ?? patch
        try add(Array("\(document.jsonText)\n\(result.jsonText)".utf8), to: "changes")
      }
    }
  }

  /// All texts and numbers in a JSON value.
  private static func collect(_ value: JSONValue, _ texts: inout [String]) {
    switch value {
    case .string(let text): texts.append(text)
    case .number(let number): texts.append(number.text)
    case .array(let values): for value in values { collect(value, &texts) }
    case .object(let object): for member in object.members { collect(member.value, &texts) }
    case .null, .bool: break
    }
  }

  func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
  }

  func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func add(_ bytes: [UInt8], to target: String) throws {
    let number = counts.byTarget[target, default: 0]
    counts.byTarget[target] = number + 1
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(target)/seed-\(number)"))
  }
}
