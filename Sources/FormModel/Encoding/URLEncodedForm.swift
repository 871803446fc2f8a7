/// The format of submitted web forms, `application/x-www-form-urlencoded` (WHATWG URL Standard,
/// section 5), over UTF-8.
public enum URLEncodedForm {
  /// The text of name-value pairs (section 5.2).
  ///
  /// ASCII letters and digits and `*-._` stand as they are, a space is `+`, every other byte `%XX`.
  /// Line breaks are not changed.
  public static func serialize(_ pairs: some Sequence<(String, String)>) -> String {
    var bytes: [UInt8] = []
    for (name, value) in pairs {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      appendEncoded(name, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      appendEncoded(value, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name-value pairs of a text, in order (section 5.1).
  ///
  /// Nothing is refused: a piece without `=` is a name with an empty value, a `%` without two
  /// hexadecimal digits stands for itself, bytes that are no UTF-8 become U+FFFD.
  public static func parse(_ text: String) -> [(name: String, value: String)] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { piece in
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      return (decode(name), decode(piece[name.endIndex...].dropFirst()))
    }
  }

  private static func appendEncoded(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "):
        bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        for digit in [byte >> 4, byte & 0xF] {
          bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
      }
    }
  }

  private static func decode(_ piece: Substring.UTF8View) -> String {
    var bytes: [UInt8] = []
    var rest = piece
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), digits.count == 2,
        let high = digits.first.flatMap(hexValue), let low = digits.last.flatMap(hexValue)
      {
        bytes.append(high << 4 | low)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
