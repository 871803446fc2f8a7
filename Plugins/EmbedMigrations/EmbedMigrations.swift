import Foundation
import PackagePlugin

/// Compiles the SQL files of `migrations/` into the target, so that a binary that was copied
/// elsewhere still has them.
///
/// A file is named `NNNN_what_it_does.sql`; the numbers count from 1 without gaps.
@main
struct EmbedMigrations: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "migrations")
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    for (index, file) in files.enumerated() {
      let number = file.lastPathComponent.prefix(4)
      guard number.count == 4, Int(number) == index + 1 else {
        throw MisnumberedMigration(file: file.path(), number: index + 1)
      }
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedMigrations.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) migrations",
        executable: try context.tool(named: "embed-files").url,
        arguments: [output.path()] + files.map { $0.path() },
        inputFiles: files, outputFiles: [output])
    ]
  }
}

struct MisnumberedMigration: Error, CustomStringConvertible {
  let file: String
  let number: Int

  var description: String { "\(file): expected a name that starts with the number \(number)" }
}
