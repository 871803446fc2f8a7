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
