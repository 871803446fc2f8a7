import FormModel

/// Where a request's credentials come from. The settings name the place and never hold a secret.
public enum CredentialSource: Hashable, Sendable {
  /// A token in an environment variable or a file (RFC 6750).
  case bearer(Place)
  /// `user:password` in an environment variable or a file (RFC 7617).
  case basic(Place)
  /// The value of a header, such as an API key.
  case header(String, Place)

  /// Where a secret stands.
  public enum Place: Hashable, Sendable {
    case environment(String)
    case file(String)
  }

  /// Where the secret stands.
  public var place: Place {
    switch self {
    case .bearer(let place), .basic(let place), .header(_, let place): place
    }
  }

  /// The header that carries the credentials.
  ///
  /// - Parameters:
  ///   - environment: gives the value of an environment variable.
  ///   - contents: gives the bytes of a file, or nil when it can't be read.
  /// - Throws: ``CredentialError`` when there is no secret, or one that can't be sent.
  public func header(
    environment: (String) -> String?, contents: (String) -> [UInt8]?
  ) throws(CredentialError) -> HTTPHeaders.Field {
    let text: String?
    switch place {
    case .environment(let name): text = environment(name)
    case .file(let path):
      guard let bytes = contents(path) else {
        throw CredentialError(place: place, message: "can't be read, or holds far too much")
      }
      text = String(validating: bytes, as: UTF8.self)
    }
    // An editor ends a file with a line break.
    let secret = String((text ?? "").trimmedLineEnd)
    guard !secret.isEmpty else { throw CredentialError(place: place, message: "holds no secret") }
    guard secret.isHeaderValue else {
      throw CredentialError(place: place, message: "holds control characters or several lines")
    }
    switch self {
    case .bearer:
      guard secret.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw CredentialError(place: place, message: "holds more than a token")
      }
      return .init(name: "Authorization", value: "Bearer \(secret)")
    case .basic:
      guard secret.utf8.contains(UInt8(ascii: ":")) else {
        throw CredentialError(place: place, message: "must hold user:password")
      }
      return .init(name: "Authorization", value: "Basic \(Array(secret.utf8).base64)")
    case .header(let name, _):
      return .init(name: name, value: secret)
    }
  }
}

/// Credentials that are missing or can't be sent. It names the place and never the secret, which may
/// stand where the place's name should.
public struct CredentialError: Error, Hashable, Sendable, CustomStringConvertible {
  public let place: CredentialSource.Place
  /// What is wrong, in words.
  public let message: String

  public var description: String {
    switch place {
    case .environment(let name):
      "the environment variable \(isName(name) ? name : "that the settings name") \(message)"
    case .file(let path):
      "the file \(path.contains { "./".contains($0) } ? path : "that the settings name") \(message)"
    }
  }

  /// Whether a text is like the names that variables have (POSIX), and unlike a token.
  private func isName(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.utf8.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }
}

extension String {
  fileprivate var trimmedLineEnd: Substring {
    var text = self[...]
    while let last = text.unicodeScalars.last, last == "\n" || last == "\r" {
      text.unicodeScalars.removeLast()
    }
    return text
  }
}

extension [UInt8] {
  static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Base64 with padding (RFC 4648, section 4).
  var base64: String {
    let digits = Self.base64Digits
    var text: [UInt8] = []
    for start in stride(from: 0, to: count, by: 3) {
      let group = self[start..<Swift.min(start + 3, count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(
          digit <= group.count ? digits[word >> (18 - 6 * digit) & 0x3F] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
