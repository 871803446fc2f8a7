#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files in `Tests/Cases` and others of the package, found by this file's place.
public enum Cases {
  /// A file that can't be read.
  public struct Unreadable: Error, CustomStringConvertible {
    public let path: String
    public var description: String { "can't read \(path)" }
  }

  /// The package's top level.
  public static let packagePath: String = {
    // Three names are taken off: this file, FormSamples, Tests.
    let parts = "\(#filePath)".split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  /// The path of a file in `Tests/Cases`, such as `forms/profile.json`.
  public static func path(_ name: String) -> String { "\(packagePath)/Tests/Cases/\(name)" }

  /// The bytes of a file in `Tests/Cases`.
  public static func bytes(_ name: String) throws -> [UInt8] { try bytes(atPath: path(name)) }

  /// The text of a file in `Tests/Cases`.
  public static func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// The bytes of any file.
  public static func bytes(atPath path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw Unreadable(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard ferror(file) == 0 else { throw Unreadable(path: path) }
    return bytes
  }
}
