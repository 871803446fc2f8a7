import DraftStore
import FormModel

/// Takes out of a server's text what no message may hold: the credentials and the values of sensitive
/// fields, which it may quote.
struct Redaction: Hashable, Sendable {
  private var secrets: [[UInt8]] = []

  init() {}

  /// - Parameters:
  ///   - credentials: the header that carries them.
  ///   - task: what is sent.
  init(credentials: HTTPHeaders.Field?, _ task: OutboxTask) {
    if let value = credentials?.value {
      add(value)
      // Without the scheme; and what Basic holds (RFC 7617), as a whole and the password alone.
      let word = value.split(separator: " ").last.map(String.init) ?? value
      add(word)
      if value.lowercased().hasPrefix("basic "), let pair = word.base64Decoded {
        add(pair)
        if let colon = pair.firstIndex(of: ":") { add(String(pair[pair.index(after: colon)...])) }
      }
    }
    for entry in task.submission.entries + task.acknowledged
    where task.form.field(entry.serviceKey)?.isSensitive == true {
      add(entry.value.json)
    }
    // The longest first, for one may be part of another.
    secrets.sort { $0.count > $1.count }
  }

  private mutating func add(_ text: String) {
    if !text.isEmpty { secrets.append(Array(text.utf8)) }
  }

  private mutating func add(_ json: JSONValue) {
    switch json {
    case .null, .bool: break
    case .number(let number): add(number.text)
    case .string(let text):
      add(text)
      // As it stands in a JSON text that is quoted.
      add(String(json.jsonText.dropFirst().dropLast()))
    case .array(let elements): for element in elements { add(element) }
    case .object(let object): for member in object.members { add(member.value) }
    }
  }

  /// The text with each secret, by its bytes, replaced.
  func callAsFunction(_ text: String) -> String {
    secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "[…]") }
  }
}

extension String {
  fileprivate func replacingOccurrences(of secret: [UInt8], with word: String) -> String {
    let hay = Array(utf8)
    guard hay.count >= secret.count else { return self }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < hay.count {
      if hay[index...].starts(with: secret) {
        result += word.utf8
        index += secret.count
      } else {
        result.append(hay[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The text that a base64 text holds (RFC 4648, section 4), or nil when it is none.
  fileprivate var base64Decoded: String? {
    var (bytes, word, bits): ([UInt8], Int, Int) = ([], 0, 0)
    for byte in utf8 where byte != UInt8(ascii: "=") {
      guard let digit = [UInt8].base64Digits.firstIndex(of: byte) else { return nil }
      word = (word << 6 | digit) & 0xFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(word >> bits & 0xFF))
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
