/// The program, from its command line to its exit status.
enum Program {
  static let version = "1.0.0"

  static func run() async -> ExitStatus {
    System.ignoreWriteSignals()
    let words = System.arguments
    // Asked for before the command line is understood: a wrong one is told in JSON too.
    let isJSON = words.prefix { $0 != "--" }.contains("--json")
    do {
      return try await run(words)
    } catch is System.OutputClosed {
      return .done
    } catch let interrupted as System.Interrupted {
      System.end(interrupted)
    } catch {
      let failures = CommandFailure.failures(of: error)
      for failure in failures { Console.report(failure, isJSON: isJSON) }
      return failures.first?.status ?? .data
    }
  }

  private static func run(_ words: [String?]) async throws -> ExitStatus {
    let known = try words.enumerated().map { index, word in
      guard let word else {
        throw UsageError(
          "argument \(index + 1) is not UTF-8; use names and values in UTF-8", [])
      }
      return word
    }
    let root = Command.formdraft
    switch try Parser.parse(known, root: root) {
    case .help(let path, let command):
      try Console.print(command.help(path: path, root: root))
      return .done
    case .version:
      try Console.print("formdraft \(version)\n")
      return .done
    case .run(let invocation):
      return try await invocation.run()
    }
  }
}
