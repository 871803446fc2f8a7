import FormModel

/// What a server says about a request that it has not carried out, as bounded plain text.
///
/// It is read from problem details (RFC 9457), other JSON with a message, an HTML page or text.
public struct Problem: Hashable, Sendable, CustomStringConvertible {
  /// The response's status.
  public let status: Int
  /// The problem's type (RFC 9457, section 3.1.1), when it says one.
  public let type: String?
  public let title: String?
  public let detail: String?

  /// The longest title or detail, in characters.
  public static let maximumLength = 500

  /// The problem that a response tells.
  ///
  /// - Parameter response: a response with a status that is no success.
  public init(_ response: HTTPResponse) {
    self.init(response, Redaction())
  }

  /// The problem that a response tells, without secrets.
  init(_ response: HTTPResponse, _ redaction: Redaction) {
    status = response.status
    // A page is not read in full for a line of text.
    let body = Array(response.body.prefix(64 * 1024))
    let type = MediaType(response.headers["Content-Type"])
    if type.isJSON || type.name.isEmpty, let json = try? JSONValue(parsing: body),
      let object = json.objectValue
    {
      // Members of another kind than they should be are ignored (RFC 9457, section 3.1).
      func text(_ keys: [String]) -> String? {
        keys.lazy.compactMap { object[$0]?.stringValue.flatMap { Self.clean(redaction($0)) } }.first
      }
      self.type = text(["type"])
      title = text(["title", "error"])
      detail = text(["detail", "message", "error_description"])
    } else {
      self.type = nil
      let text = String(decoding: body, as: UTF8.self)
      let isHTML = type.isHTML || text.looksLikeHTML
      title = Self.clean(redaction(isHTML ? text.htmlText : type.isText ? text : ""))
      detail = nil
    }
  }

  /// A problem that the client has found itself.
  init(status: Int, title: String) {
    self.status = status
    type = nil
    self.title = title
    detail = nil
  }

  public var description: String {
    let parts = [title, detail].compactMap { $0 }
    let isRepeated = parts.count == 2 && parts[0].hasSameBytes(as: parts[1])
    let text = (isRepeated ? [parts[0]] : parts).joined(separator: ": ")
    return text.isEmpty ? "status \(status)" : "status \(status): \(text)"
  }

  /// Whether it is about an idempotency key, which a 409 or 422 can be as well.
  var isAboutIdempotency: Bool {
    [type, title].contains { $0?.lowercased().contains("idempoten") == true }
  }

  private static func clean(_ text: String) -> String? {
    let text = text.plainLine(maximumLength: maximumLength)
    return text.isEmpty ? nil : text
  }
}

/// The media type of a body (RFC 9110, section 8.3.1), without parameters.
struct MediaType {
  /// In lower case; empty when there is none.
  let name: String

  init(_ contentType: String?) {
    name = (contentType ?? "").prefix { $0 != ";" }.lowercased().trimmedSpace
  }

  var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") || name == "text/json" }
  var isHTML: Bool { name == "text/html" || name == "application/xhtml+xml" }
  var isText: Bool { name.isEmpty || name.hasPrefix("text/") }
}

extension String {
  /// One line without control characters, and without those that change the direction of the text
  /// around them: what a server sends is shown in terminals and lists.
  func plainLine(maximumLength: Int) -> String {
    var result = String.UnicodeScalarView()
    var isPending = false
    for scalar in unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        isPending = !result.isEmpty
      } else if scalar.properties.generalCategory != .format && scalar.value != 0xFFFD {
        if isPending { result.append(" ") }
        isPending = false
        result.append(scalar)
        // By scalars, for one character may have any number of them.
        guard result.count < maximumLength else { return String(result) + "…" }
      }
    }
    return String(result)
  }

  var looksLikeHTML: Bool {
    let start = prefix(200).drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
      || start.hasPrefix("<head") || start.hasPrefix("<body")
  }

  /// The title of a page, or its text where it has none. Entities stay as they are.
  var htmlText: String {
    if let title = text(ofElement: "title"), !title.allSatisfy(\.isWhitespace) { return title }
    var result: [UInt8] = []
    var isInTag = false
    for byte in (text(ofElement: "body") ?? self).utf8 {
      switch byte {
      case UInt8(ascii: "<"): isInTag = true
      case UInt8(ascii: ">") where isInTag:
        isInTag = false
        result.append(0x20)
      default: if !isInTag { result.append(byte) }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func text(ofElement name: String) -> String? {
    let bytes = Array(utf8)
    let lower = bytes.map(\.asciiLowercased)
    guard let open = lower.place(of: "<\(name)", from: 0),
      let start = lower[open...].firstIndex(of: UInt8(ascii: ">")),
      let end = lower.place(of: "</\(name)", from: start)
    else { return nil }
    return String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
  }
}

extension [UInt8] {
  fileprivate func place(of text: String, from start: Int) -> Int? {
    let word = Array(text.utf8)
    guard start + word.count <= count else { return nil }
    return (start...(count - word.count)).first {
      self[$0] == word[0] && self[$0..<$0 + word.count].elementsEqual(word)
    }
  }
}
