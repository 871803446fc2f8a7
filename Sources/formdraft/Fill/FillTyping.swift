/// A line while it is typed: what the system does for a terminal, which shows a pasted text as soon as
/// it comes, also the lines that answer rows whose answers must not be seen.
struct FillTyping {
  enum Event: Equatable {
    case line([UInt8])
    case end
  }

  /// The line so far.
  private var line: [UInt8] = []

  /// What the keys taken last are shown as, unless they must not be seen.
  private(set) var echo = ""

  /// The line so far as it is shown.
  var shown: String { Self.shown(String(decoding: line, as: UTF8.self)) }

  /// Takes keys until a line is complete; the keys behind it are those of the next row.
  ///
  /// - Parameter keys: what was typed; what is taken is removed.
  mutating func take(_ keys: inout [UInt8]) -> Event? {
    echo = ""
    var place = 0
    defer { keys.removeSubrange(..<place) }
    while place < keys.count {
      let key = keys[place]
      let length = Self.length(from: key)
      // The rest of a character is still to come.
      guard place + length <= keys.count else { return nil }
      place += length
      switch key {
      case UInt8(ascii: "\n"):
        echo += "\n"
        defer { line = [] }
        return .line(line)
      case 0x04 where line.isEmpty: return .end
      case 0x04: break
      case 0x08, 0x7F: erase { $0.removeLast() }
      case 0x15: erase { $0 = "" }
      case 0x17:
        erase { text in
          while text.last == " " { text.removeLast() }
          while let last = text.last, last != " " { text.removeLast() }
        }
      default:
        let bytes = keys[place - length..<place]
        line += bytes
        echo += Self.shown(String(decoding: bytes, as: UTF8.self))
      }
    }
    return nil
  }

  /// Takes the end of the line away, and from the window.
  private mutating func erase(_ change: (inout String) -> Void) {
    guard !line.isEmpty else { return }
    let before = shown.displayWidth
    var text = String(decoding: line, as: UTF8.self)
    change(&text)
    line = Array(text.utf8)
    let width = max(0, before - shown.displayWidth)
    echo += String(repeating: "\u{8} \u{8}", count: width)
  }

  /// How many bytes a character has that begins with one.
  private static func length(from byte: UInt8) -> Int {
    switch byte {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 1
    }
  }

  /// A text with its control characters as a terminal shows them.
  private static func shown(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09: shown.append(" ")
      case 0..<0x20:
        shown.append("^")
        shown.append(Unicode.Scalar(UInt8(scalar.value) + 0x40))
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }
}
