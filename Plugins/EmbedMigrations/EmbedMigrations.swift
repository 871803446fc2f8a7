import Foundation
import PackagePlugin

/// Compiles the SQL files of `migrations/` into the target, so that a binary that was copied
/// elsewhere still has them.
@main
struct EmbedMigrations: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "migrations")
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedMigrations.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) migrations",
        executable: try context.tool(named: "embed-migrations").url,
        arguments: [output.path()] + files.map { $0.path() },
        inputFiles: files, outputFiles: [output])
    ]
  }
}
