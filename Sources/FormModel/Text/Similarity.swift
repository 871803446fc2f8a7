extension Sequence<String> {
  /// The name among these that was probably meant by a misspelt one, whatever its case.
  package func mostSimilar(to name: String) -> String? {
    let name = name.lowercased()
    let nearest = map { ($0, editDistance($0.lowercased(), name)) }.min { $0.1 < $1.1 }
    guard let (candidate, distance) = nearest else { return nil }
    let length = candidate.count
    // A name of which nothing is left was not meant.
    return distance <= Swift.max(2, length / 4) && distance < length ? candidate : nil
  }
}

/// The number of edits of one character between two names (Levenshtein), by their first 64.
private func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.prefix(64)), Array(b.prefix(64)))
  var row = Array(0...b.count)
  for (i, left) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, right) in b.enumerated() {
      let above = row[j + 1]
      row[j + 1] = min(above + 1, row[j] + 1, diagonal + (left == right ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.count]
}
