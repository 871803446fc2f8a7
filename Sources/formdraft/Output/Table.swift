/// Rows of text in columns.
struct Table {
  /// The widest that a column becomes; longer text is cut.
  static let maximumColumnWidth = 60

  private var rows: [[String]] = []

  init(header: [String] = []) {
    if !header.isEmpty { rows.append(header) }
  }

  mutating func add(_ cells: String...) {
    rows.append(cells.map { $0.printable.truncated(to: Self.maximumColumnWidth) })
  }

  /// A line that stands across all columns.
  mutating func addHeading(_ text: String) {
    rows.append([text.printable])
  }

  /// The text, each line with its end.
  var text: String {
    var widths: [Int] = []
    for row in rows where row.count > 1 {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.displayWidth)
      }
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        if column > 0 { line += "  " }
        line += column == row.count - 1 ? cell : cell.padded(to: widths[column])
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}
