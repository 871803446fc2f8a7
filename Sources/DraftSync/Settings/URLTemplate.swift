import FormModel

/// An address with places that are filled in: `https://host/records/{id}`.
///
/// `{id}` is the draft's id, `{form}` the form's; any other name is a service key, which stands for
/// the value that is submitted under it. Values are percent-encoded.
public struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
  private enum Piece: Hashable, Sendable {
    case text(String)
    case place(String)
  }

  /// The template as it was given.
  public let description: String
  private let pieces: [Piece]

  /// A text that is no template.
  struct Fault: Error {
    let message: String
  }

  init(parsing text: String) throws(Fault) {
    description = text
    var pieces: [Piece] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Fault(message: "\"{\" has no \"}\" after it")
      }
      let name = String(rest[rest.index(after: open)..<close])
      guard !name.isEmpty, !name.contains("{") else {
        throw Fault(message: "name what stands in braces: {id}, {form} or a service key")
      }
      pieces.append(.text(String(rest[..<open])))
      pieces.append(.place(name))
      rest = rest[rest.index(after: close)...]
    }
    pieces.append(.text(String(rest)))
    self.pieces = pieces
    try check()
  }

  private func check() throws(Fault) {
    guard case .text(let start) = pieces[0], let range = start.hostRange else {
      throw Fault(message: "write an address that begins with https:// and a host")
    }
    // A value could else choose the server that is sent the credentials.
    let host = start[range].prefix { !"/?\\".contains($0) }
    guard !host.isEmpty, host.endIndex < start.endIndex || pieces.count == 1 else {
      throw Fault(
        message: "name the host; braces may only stand after the host, as in https://host/{id}")
    }
    guard let address = WebAddress(sample) else {
      throw Fault(message: "it is no address of https or http")
    }
    guard !address.hasCredentials else {
      throw Fault(message: "take the user and password out, and name their source in credentials")
    }
    guard !sample.contains("#") else {
      throw Fault(message: "take out \"#\" and what follows it, which is never sent")
    }
  }

  /// An address with something at all places.
  var sample: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .place: "x"
      }
    }.joined()
  }

  /// The names in braces.
  public var names: [String] {
    pieces.compactMap { piece in
      if case .place(let name) = piece { name } else { nil }
    }
  }

  /// The address for values, or nil with the name whose value is missing or can't stand there.
  ///
  /// - Parameter value: gives the value of a name.
  func filled(_ value: (String) -> String?) throws(RequestRefusal) -> String {
    var result = ""
    for piece in pieces {
      switch piece {
      case .text(let text): result += text
      case .place(let name):
        guard let text = value(name), !text.isEmpty else {
          throw RequestRefusal(.noAddress, "the address needs a value of \"\(name)\"")
        }
        // As a path's segment these two are steps and no names (RFC 3986, section 5.2.4).
        guard text != ".", text != ".." else {
          throw RequestRefusal(.noAddress, "\"\(text)\" of \"\(name)\" can't stand in an address")
        }
        result += text.percentEncoded
      }
    }
    return result
  }
}

extension String {
  /// What follows the scheme, or nil when there is none.
  fileprivate var hostRange: Range<Index>? {
    for scheme in ["https://", "http://"] where lowercased().hasPrefix(scheme) {
      return index(startIndex, offsetBy: scheme.count)..<endIndex
    }
    return nil
  }

  /// All but the unreserved characters as `%XX` (RFC 3986, section 2).
  var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
