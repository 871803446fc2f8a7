import Foundation

/// Writes the Swift source that holds the given SQL files: `embed-migrations OUTPUT FILE…`.
///
/// A file is named `NNNN_what_it_does.sql`; the numbers count from 1 without gaps.
func embed(_ files: [URL]) throws -> String {
  var entries = ""
  for (index, file) in files.enumerated() {
    let name = file.deletingPathExtension().lastPathComponent
    guard name.prefix(4).count == 4, Int(name.prefix(4)) == index + 1 else {
      throw CocoaError(
        .fileReadInvalidFileName,
        userInfo: [
          NSLocalizedDescriptionKey:
            "\(file.path()): expected a name that starts with the number \(index + 1)"
        ])
    }
    let sql = try String(contentsOf: file, encoding: .utf8)
    entries += """
          Migration(
            version: \(index + 1), name: \(literal(name)),
            sql: \(literal(sql))),

      """
  }
  return """
    import DraftDatabase

    extension SchemaMigrations {
      static let embedded: [Migration] = [
    \(entries)  ]
    }

    """
}

func literal(_ text: String) -> String {
  "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
  FileHandle.standardError.write(Data("usage: embed-migrations OUTPUT FILE…\n".utf8))
  exit(2)
}
do {
  let source = try embed(arguments.dropFirst().map { URL(filePath: $0) })
  try Data(source.utf8).write(to: URL(filePath: output))
} catch {
  FileHandle.standardError.write(Data("error: \(error.localizedDescription)\n".utf8))
  exit(1)
}
