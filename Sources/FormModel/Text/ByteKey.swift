/// A key that is told from others by its bytes, as SQLite and servers do.
package struct ByteKey: Hashable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (lhs: ByteKey, rhs: ByteKey) -> Bool {
    lhs.text.hasSameBytes(as: rhs.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

/// Keys in the order of their first insertion, each once by its bytes.
package struct OrderedKeys: Sendable {
  package private(set) var keys: [String] = []
  private var indices: [ByteKey: Int] = [:]

  package init(_ keys: some Sequence<String> = []) {
    for key in keys { insert(key) }
  }

  package mutating func insert(_ key: String) {
    guard !contains(key) else { return }
    indices[ByteKey(key)] = keys.count
    keys.append(key)
  }

  package func contains(_ key: String) -> Bool { index(of: key) != nil }

  package func index(of key: String) -> Int? { indices[ByteKey(key)] }
}
