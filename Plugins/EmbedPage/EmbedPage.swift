import Foundation
import PackagePlugin

/// Compiles the page's files into the target, so that a binary that was copied elsewhere still has
/// them.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let folder = context.package.directoryURL.appending(path: "Sources/FormPage/Assets")
    let files = try FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { ["html", "css", "js", "svg"].contains($0.pathExtension) }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedPage.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files of the page",
        executable: try context.tool(named: "embed-files").url,
        arguments: [output.path()] + files.map { $0.path() },
        inputFiles: files, outputFiles: [output])
    ]
  }
}
