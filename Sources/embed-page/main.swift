import Foundation

/// Writes the Swift source that holds the given files: `embed-page OUTPUT FILE…`.
func embed(_ files: [URL]) throws -> String {
  let entries = try files.map { file in
    let text = try String(contentsOf: file, encoding: .utf8)
    return "    \(literal(file.lastPathComponent)): \(literal(text)),\n"
  }
  return """
    extension Assets {
      static let embedded: [String: String] = [
    \(entries.joined())  ]
    }

    """
}

func literal(_ text: String) -> String {
  "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
}

let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
  FileHandle.standardError.write(Data("usage: embed-page OUTPUT FILE…\n".utf8))
  exit(2)
}
do {
  let source = try embed(arguments.dropFirst().map { URL(filePath: $0) })
  try Data(source.utf8).write(to: URL(filePath: output))
} catch {
  FileHandle.standardError.write(Data("error: \(error.localizedDescription)\n".utf8))
  exit(1)
}
