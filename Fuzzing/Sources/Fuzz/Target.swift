import FormModel

/// What is fuzzed. Each takes any bytes, and traps when a law does not hold.
enum Target {
  static let all: [String: @Sendable ([UInt8]) -> Void] = [
    "definition": { testDefinition($0) },
    "json": { testJSON($0) },
    "value": { testValue($0) },
    "csv": { testCSV($0) },
    "urlencoded": { testURLEncoded($0) },
    "pattern": { testPattern($0) },
    "changes": { testChanges($0) },
    "patch": { testPatch($0) },
    "settings": { testSettings($0) },
    "answers": { testAnswers($0) },
  ]

  static var names: String { all.keys.sorted().joined(separator: " ") }
}

/// Traps when a law does not hold, in release builds too.
func law(_ holds: Bool, _ name: StaticString) {
  guard !holds else { return }
  print("broken: \(name)")
  fatalError("broken: \(name)")
}

extension [UInt8] {
  /// The lines of several inputs in one.
  var lines: [[UInt8]] {
    split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  }
}
