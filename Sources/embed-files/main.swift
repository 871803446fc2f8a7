import Foundation

/// Writes the Swift source that holds the given files: `embed-files OUTPUT FILE…`.
func embed(_ files: [URL]) throws -> String {
  let entries = try files.map { file in
    let text = try String(contentsOf: file, encoding: .utf8)
    return "    (\(literal(file.lastPathComponent)), \(literal(text))),\n"
  }
  return """
    /// Files of the package, compiled in.
    enum EmbeddedFiles {
      static let all: [(name: String, text: String)] = [
    \(entries.joined())  ]
    }

    """
}

func literal(_ text: String) -> String {
  "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
  FileHandle.standardError.write(Data("usage: embed-files OUTPUT FILE…\n".utf8))
  exit(2)
}
do {
  let source = try embed(arguments.dropFirst().map { URL(filePath: $0) })
  try Data(source.utf8).write(to: URL(filePath: output))
} catch {
  FileHandle.standardError.write(Data("error: \(error.localizedDescription)\n".utf8))
  exit(1)
}
