/// A command line that can't be understood.
struct UsageError: Error {
  let message: String
  /// The names of the command that was meant, as far as it was understood.
  let path: [String]

  init(_ message: String, _ path: [String]) {
    self.message = message
    self.path = path
  }
}

/// What a command line asks for.
enum Request {
  case run(Invocation)
  case help(path: [String], Command)
  case version
}

/// Reads a command line against a description of the commands.
struct Parser {
  private var path: [String] = []
  private var command: Command
  private var arguments: [String] = []
  private var options: [String: [String]] = [:]

  /// Reads the words after the program's name.
  ///
  /// - Throws: ``UsageError``
  static func parse(_ words: [String], root: Command) throws -> Request {
    var parser = Parser(command: root)
    return try parser.read(words, root)
  }

  private init(command: Command) {
    self.command = command
  }

  private mutating func read(_ words: [String], _ root: Command) throws -> Request {
    var rest = words[...]
    var areOptionsEnded = false
    while let word = rest.popFirst() {
      if areOptionsEnded || isArgument(word) {
        try take(word)
      } else if word == "--" {
        areOptionsEnded = true
      } else {
        try readOption(word, &rest, root)
      }
    }
    if options["--help"] != nil { return .help(path: path, command) }
    if options["--version"] != nil, path.isEmpty || command.option("--version") == nil {
      return .version
    }
    guard !command.isGroup else {
      if path.isEmpty, words.isEmpty { return .help(path: [], command) }
      throw UsageError(
        "give a command: \(command.subcommands.map(\.name).joined(separator: ", "))", path)
    }
    try checkArgumentCount()
    return .run(
      Invocation(path: path, command: command, arguments: arguments, options: options))
  }

  /// A lone hyphen stands for the standard input; some commands take `-TAG`.
  private func isArgument(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), word != "-" else { return true }
    guard let first = command.arguments.hyphensFrom, arguments.count >= first else { return false }
    return !word.hasPrefix("--")
  }

  private mutating func take(_ word: String) throws {
    guard command.isGroup else {
      arguments.append(word)
      return
    }
    if word == "help" {
      options["--help"] = [""]
      return
    }
    guard let subcommand = command.subcommand(word) else {
      let names = command.subcommands.map(\.name)
      throw UsageError(
        "unknown command \"\(word.shortened)\""
          + (names.mostSimilar(to: word).map { "; did you mean \"\($0)\"?" }
            ?? "; there are \(names.joined(separator: ", "))"),
        path)
    }
    command = subcommand
    path.append(subcommand.name)
  }

  private mutating func readOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ root: Command
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0] == "-h" ? "--help" : String(parts[0])
    guard let option = command.option(name) ?? root.option(name) else {
      let known = (command.options + root.options).map(\.name)
      throw UsageError(
        "unknown option \(name.shortened)"
          + (known.mostSimilar(to: name).map { "; did you mean \($0)?" } ?? ""), path)
    }
    guard option.value != nil else {
      guard parts.count == 1 else { throw UsageError("\(name) takes no value", path) }
      options[name] = [""]
      return
    }
    let value: String
    if parts.count == 2 {
      value = String(parts[1])
    } else if let next = rest.first, !isKnownOption(next, root) {
      value = next
      rest = rest.dropFirst()
    } else {
      throw UsageError("\(name) needs a value: \(option.usage)", path)
    }
    guard option.isRepeatable || options[name] == nil else {
      throw UsageError("\(name) is given twice", path)
    }
    options[name, default: []].append(value)
  }

  /// Whether a word in a value's place is rather the next option, so that a forgotten value does
  /// not swallow it.
  private func isKnownOption(_ word: String, _ root: Command) -> Bool {
    let name = String(word.split(separator: "=", omittingEmptySubsequences: false)[0])
    return word == "--" || command.option(name) != nil || root.option(name) != nil
  }

  private func checkArgumentCount() throws {
    if let most = command.arguments.most, arguments.count > most {
      throw UsageError("\"\(arguments[most].shortened)\" is one argument too many", path)
    }
    guard arguments.count >= command.arguments.least else {
      throw UsageError("arguments are missing: \(command.usage)", path)
    }
  }
}
