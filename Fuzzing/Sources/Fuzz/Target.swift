import FormModel

/// What is fuzzed. Each takes any bytes, and traps when a law does not hold.
enum Target {
  typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

  static let all: [String: Test] = [
    "definition": { data, size in
      testDefinition(bytes(data, size))
      return 0
    },
    "json": { data, size in
      testJSON(bytes(data, size))
      return 0
    },
    "value": { data, size in
      testValue(bytes(data, size))
      return 0
    },
    "csv": { data, size in
      testCSV(bytes(data, size))
      return 0
    },
    "urlencoded": { data, size in
      testURLEncoded(bytes(data, size))
      return 0
    },
    "pattern": { data, size in
      testPattern(bytes(data, size))
      return 0
    },
    "changes": { data, size in
      testChanges(bytes(data, size))
      return 0
    },
    "patch": { data, size in
      testPatch(bytes(data, size))
      return 0
    },
    "settings": { data, size in
      testSettings(bytes(data, size))
      return 0
    },
    "answers": { data, size in
      testAnswers(bytes(data, size))
      return 0
    },
  ]

  static var names: String { all.keys.sorted().joined(separator: " ") }
}

private func bytes(_ data: UnsafePointer<UInt8>?, _ size: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: data, count: size))
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
