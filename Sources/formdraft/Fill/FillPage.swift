/// What the filling of a form says, before it is laid out for a window.
struct FillPage {
  /// What a part of the text is; it is coloured by that, and reads the same without colours.
  enum Style {
    case plain, heading, label, hint, error
  }

  struct Line {
    var style: Style
    /// Stands before the text; what follows on further lines is indented by its width.
    var lead = ""
    var text: String
    /// Whether it is broken to the window's width; what is to be copied is not.
    var isWrapped = true
  }

  private(set) var lines: [Line] = []

  var isEmpty: Bool { lines.isEmpty }

  /// Adds a text that may come from a form or a draft; each of its lines is one.
  mutating func add(_ style: Style, _ text: String, lead: String = "") {
    // Split by scalars: a line end may be one Character with what stands before it.
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      lines.append(
        Line(
          style: style,
          lead: index == 0 ? lead : String(repeating: " ", count: lead.displayWidth),
          text: String(part).printable))
    }
  }

  mutating func add(_ text: String, lead: String = "") { add(.plain, text, lead: lead) }

  mutating func addUnbroken(_ text: String) {
    lines.append(Line(style: .plain, text: text.printable, isWrapped: false))
  }

  /// Begins a part after an empty line; a heading's first part needs none.
  mutating func addSpace() {
    if let last = lines.last, last.text.isEmpty || last.style == .heading { return }
    lines.append(Line(style: .plain, text: ""))
  }

  mutating func append(_ page: FillPage) { lines += page.lines }

  /// The text for a window.
  ///
  /// - Parameters:
  ///   - width: the window's columns, or nil to break no line.
  ///   - isColoured: whether the terminal is told to colour it.
  func text(width: Int?, isColoured: Bool) -> String {
    lines.map { line in
      var rest = [line.text]
      if let width, line.isWrapped {
        rest = line.text.wrapped(to: max(4, width - line.lead.displayWidth))
      }
      let indent = String(repeating: " ", count: line.lead.displayWidth)
      return rest.enumerated().map { index, part in
        var whole = (index == 0 ? line.lead : indent) + part
        while whole.last == " " { whole.removeLast() }
        guard isColoured, let code = line.style.code, !whole.isEmpty else { return whole + "\n" }
        return "\u{1B}[\(code)m\(whole)\u{1B}[0m\n"
      }.joined()
    }.joined()
  }
}

extension FillPage.Style {
  /// The parameter of the escape sequence (ECMA-48, SGR).
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .heading, .label: "1"
    case .hint: "2"
    case .error: "31"
    }
  }
}

extension String {
  /// The text on lines that fit a width: broken after spaces, and beside wide characters, which
  /// stand without spaces; a longer word wherever it must be.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var (line, used) = ("", 0)
    // Where the line can be broken: what stands before, and the columns of what stands after.
    var lastBreak: (before: String, after: String, usedAfter: Int)?
    for character in self {
      let columns = character.displayWidth
      // A space at the end of a line needs no column.
      if used + columns > width, !line.isEmpty, character != " " {
        if columns == 2 || lastBreak == nil {
          lines.append(line)
          (line, used) = ("", 0)
        } else if let lastBreak {
          lines.append(lastBreak.before)
          (line, used) = (lastBreak.after, lastBreak.usedAfter)
        }
        lastBreak = nil
      }
      line.append(character)
      used += columns
      if character == " " || columns == 2 {
        lastBreak = (line, "", 0)
      } else if let found = lastBreak {
        lastBreak = (
          found.before, found.after + String(character), found.usedAfter + columns
        )
      }
    }
    lines.append(line)
    return lines
  }
}
