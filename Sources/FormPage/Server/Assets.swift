/// The files of the page, compiled in.
enum Assets {
  private static let embedded = Dictionary(
    uniqueKeysWithValues: EmbeddedFiles.all.map { ($0.name, $0.text) })

  /// A page, in the reader's language.
  static func page(_ name: String, language: Language) -> [UInt8]? {
    embedded[name].map {
      Array(
        $0.split(separator: "{{lang}}", omittingEmptySubsequences: false)
          .joined(separator: language.rawValue).utf8)
    }
  }

  /// A file that pages refer to, with its type.
  static func file(_ name: String) -> (type: String, bytes: [UInt8])? {
    guard let text = embedded[name], let dot = name.lastIndex(of: ".") else { return nil }
    switch name[dot...] {
    case ".css": return ("text/css; charset=utf-8", Array(text.utf8))
    case ".js": return ("text/javascript; charset=utf-8", Array(text.utf8))
    case ".svg": return ("image/svg+xml", Array(text.utf8))
    default: return nil
    }
  }
}

/// The languages that the page speaks.
enum Language: String, Sendable {
  case english = "en"
  case chinese = "zh-CN"

  /// The one that a browser would rather have, by its Accept-Language header.
  init(accepting header: String?) {
    var best = (language: Language.english, quality: 0.0)
    for range in (header ?? "").split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      let quality =
        parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      let language: Language? =
        switch parts.first?.prefix(2).lowercased() {
        case "en": .english
        case "zh": .chinese
        default: nil
        }
      if let language, quality > best.quality { best = (language, quality) }
    }
    self = best.language
  }
}
