import FormSamples
import Foundation
import Testing

/// The README's examples are what is built and run.
@Suite struct ReadmeTests {
  @Test func theLibraryExampleIsTheOneThatIsBuilt() throws {
    let readme = try Cases.bytes(atPath: Cases.packagePath + "/README.md")
    let example = try Cases.bytes(
      atPath: Cases.packagePath + "/Examples/QuickStart/main.swift")
    let block = "```swift\n" + String(decoding: example, as: UTF8.self) + "```\n"
    #expect(String(decoding: readme, as: UTF8.self).contains(block))
  }

  @Test func theLibraryExampleRuns() throws {
    let folder = try TemporaryFolder()
    let program = URL(fileURLWithPath: Formdraft.path).deletingLastPathComponent()
      .appendingPathComponent("QuickStart").path
    let result = try Formdraft.execute(program, [folder.path("visits.store")], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        resumed at phone, name 张三
        submission 1: ["name", "date", "needs"]
        to upload: {"phone":"13800138000"}

        """)
  }

  /// Each promise names the tests that hold it, and they are there.
  @Test func thePromisesAreHeldByTestsThatExist() throws {
    let readme = String(
      decoding: try Cases.bytes(atPath: Cases.packagePath + "/README.md"), as: UTF8.self)
    let table = try #require(
      readme.components(separatedBy: "| promise | held by |\n|---|---|\n").dropFirst().first?
        .components(separatedBy: "\n\n").first)
    let tests = try Self.tests()
    for row in table.split(separator: "\n") {
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      try #require(cells.count == 4, "\(row)")
      let names = cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      let paths = names.filter { $0.contains("/") }
      for path in paths {
        #expect(
          FileManager.default.fileExists(atPath: "\(Cases.packagePath)/\(path)"), "\(path)")
      }
      let named = names.filter { !$0.contains("/") }
      #expect(!named.isEmpty, "no test holds \(cells[1])")
      let missing = named.filter { !tests.contains($0) }
      #expect(missing == [])
    }
  }

  /// The names of all tests and of the types that hold some, and these after their target's, too.
  private static func tests() throws -> Set<String> {
    let root = Cases.packagePath + "/Tests"
    var names = try browserTests(in: root + "/PageTests/Browser")
    for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init()
    where path.hasSuffix(".swift") {
      let text = String(decoding: try Cases.bytes(atPath: "\(root)/\(path)"), as: UTF8.self)
      guard text.contains("@Test") else { continue }
      // A test's attribute may take several lines, and its function begins the next declaration.
      for part in text.components(separatedBy: "@Test").dropFirst() {
        let word = part.components(separatedBy: "func ").dropFirst().first?
          .prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if let word { names.insert(String(word)) }
      }
      for start in text.ranges(of: "struct ").map(\.upperBound) {
        let name = String(text[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let end = text[start...].firstRange(of: "\n}")?.lowerBound ?? text.endIndex
        guard text[start..<end].contains("@Test") else { continue }
        names.formUnion([name, "\(path.prefix { $0 != "/" }).\(name)"])
      }
    }
    return names
  }

  /// The names of the functions that fill the page in a browser.
  private static func browserTests(in folder: String) throws -> Set<String> {
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where file.hasSuffix(".py") {
      let text = String(decoding: try Cases.bytes(atPath: "\(folder)/\(file)"), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasSuffix("(context, server):") {
        names.insert(String(line.dropFirst("def ".count).prefix { $0 != "(" }))
      }
    }
    return names
  }

  /// Each definition in the documentation is one that the command takes.
  @Test func theDefinitionsInTheDocumentationAreGood() throws {
    let folder = try TemporaryFolder()
    let page = String(
      decoding: try Cases.bytes(atPath: Cases.packagePath + "/Documentation/definition-format.md"),
      as: UTF8.self)
    let blocks = page.components(separatedBy: "```json\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count == 1)
    for block in blocks {
      try folder.write(block, to: "form.json")
      let result = try Formdraft.run(["form", "check", "form.json"], in: folder)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// The command tour runs as it stands, line by line.
  @Test func theCommandTourRuns() throws {
    let folder = try TemporaryFolder()
    let readme = String(
      decoding: try Cases.bytes(atPath: Cases.packagePath + "/README.md"), as: UTF8.self)
    let tour = try #require(
      readme.components(separatedBy: "```sh\n").dropFirst().first?
        .components(separatedBy: "```").first)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Examples"), withDestinationPath: Cases.packagePath + "/Examples")
    let result = try Formdraft.shell("set -e\n" + tour, in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    #expect(try folder.text(of: "visits.csv").contains("\"13800138000\""))
    #expect(try folder.names.contains("visits.backup"))
  }
}
