import FormModel

/// Something that a service key names.
protocol ServiceKeyed {
  var serviceKey: String { get }
}

extension FormParam.Entry: ServiceKeyed {}
extension FieldChange: ServiceKeyed {}

/// Takes elements by their service keys, each once.
///
/// Keys that are asked for in the elements' own order, as those of one form mostly are, are found
/// without a hash table.
struct EntryFinder<Element: ServiceKeyed> {
  private let elements: [Element]
  private var isTaken: [Bool]
  private var next = 0
  private var indices: [ByteKey: Int]?

  init(_ elements: [Element]) {
    self.elements = elements
    isTaken = Array(repeating: false, count: elements.count)
  }

  /// The element of a key, unless it was taken.
  mutating func take(_ key: String) -> Element? {
    guard let index = index(of: key), !isTaken[index] else { return nil }
    isTaken[index] = true
    next = index + 1
    return elements[index]
  }

  /// The elements that were not taken, in their order.
  var left: [Element] {
    elements.indices.filter { !isTaken[$0] }.map { elements[$0] }
  }

  private mutating func index(of key: String) -> Int? {
    if next < elements.count, elements[next].serviceKey.hasSameBytes(as: key) { return next }
    let indices =
      self.indices
      ?? Dictionary(
        elements.enumerated().map { (ByteKey($1.serviceKey), $0) },
        uniquingKeysWith: { first, _ in first })
    self.indices = indices
    return indices[ByteKey(key)]
  }
}
