/// The header lines of a response as they come, those of interim responses (1xx) before it included.
struct ResponseHead {
  /// The fields of the last response that began.
  private(set) var headers = HTTPHeaders()
  /// Whether more came than the limit.
  private(set) var isTooLarge = false
  private let limit: Int
  private var count = 0
  /// Whether all lines of the response itself, and not only of an interim one, have come.
  private(set) var isComplete = false
  private var isInterim = false

  /// - Parameter limit: how many bytes all lines may have.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes one line with its line break. Whether there is room for more.
  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    count += bytes.count
    guard count <= limit else {
      isTooLarge = true
      return false
    }
    // Bytes that are no UTF-8 become U+FFFD, which no entity tag may hold.
    let line = String(decoding: bytes, as: UTF8.self)
    let text = String(line.unicodeScalars.prefix { $0 != "\r" && $0 != "\n" && $0 != "\0" })
    if isComplete {
      // A trailer, which must not be taken for a header (RFC 9110, section 6.5.1).
    } else if text.hasPrefix("HTTP/") && headers.fields.isEmpty {
      isInterim = text.split(separator: " ").dropFirst().first?.hasPrefix("1") == true
    } else if text.isEmpty {
      isComplete = !isInterim
      if isInterim { headers = HTTPHeaders() }
    } else if text.utf8.first == 0x20 || text.utf8.first == 0x09 {
      headers.extendLast(text.trimmedSpace)
    } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let name = String(text[..<colon]).trimmedSpace
      headers.append(name, String(text[text.utf8.index(after: colon)...]).trimmedSpace)
    }
    return true
  }
}
