/// A regular expression that matches without backtracking: its time grows with the length of the
/// text times the steps of the pattern and never faster, whatever both are.
///
/// The syntax is what ECMAScript (ECMA-262, 22.2) and RE2 have in common:
///
/// - characters, and `\` before punctuation; `\t \n \r \f \v \0 \xHH \uHHHH \u{H…}`
/// - `.` (all but `\n \r U+2028 U+2029`), `[a-z]`, `[^…]`, `\d \w` (ASCII), `\s` (all white
///   space), `\D \W \S`
/// - `\p{…}` and `\P{…}` with `L Lu Ll N Nd P Han` and `Script=Han`
/// - `(…) (?:…) (?<name>…)`, `a|b`, `* + ? {n} {n,} {n,m}`, also lazy ones
/// - `^ $` (start and end of the text), `\b \B` (ASCII words)
/// - `(?i)` at the very start: upper and lower case are the same, by simple case mappings; a
///   letter outside ASCII never equals one in ASCII
///
/// It works on Unicode scalars: `.` is one scalar, and composed and decomposed letters differ.
/// Back-references and look-around, which no linear-time matcher has, are refused.
public struct Pattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let source: String
  private let program: PatternProgram

  /// Reads a pattern.
  ///
  /// Refused is what is no pattern, and what is too large: more than 10,000 characters, groups
  /// nested more than 200 deep, more than 20,000 steps after `{n,m}` are written out.
  public init(_ source: String) throws(PatternError) {
    self.source = source
    var parser = try PatternParser(source)
    program = try parser.parse()
  }

  /// Whether the whole text matches, as between `^` and `$`. It takes time in O(text × pattern), and
  /// two seconds at most: a text of megabytes does not match a pattern of thousands of steps.
  public func matchesWhole(_ text: String) -> Bool {
    program.matchesWhole(text)
  }

  /// Whether both are written with the same bytes.
  public static func == (lhs: Pattern, rhs: Pattern) -> Bool {
    lhs.source.hasSameBytes(as: rhs.source)
  }

  public func hash(into hasher: inout Hasher) {
    source.hashBytes(into: &hasher)
  }
}

/// Why a text is no pattern.
public struct PatternError: Error, CustomStringConvertible, Hashable, Sendable {
  /// What is wrong and what to do.
  public let message: String
  /// The Character in the pattern, counted from 1.
  public let position: Int

  /// The position and the message: `character 3: "*" has nothing to repeat; …`.
  public var description: String { "character \(position): \(message)" }
}
