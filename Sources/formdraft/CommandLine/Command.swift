/// One command, or a group of commands, described once: the parser, the help and the completions
/// all come from here.
struct Command: Sendable {
  /// The word that is typed.
  let name: String
  /// What it does, in one line.
  let abstract: String
  /// What follows the name, as help shows it: `DRAFT KEY=VALUE…`.
  var usage = ""
  /// More help, in paragraphs.
  var discussion = ""
  /// Command lines that work, without the program's name.
  var examples: [String] = []
  var arguments = Arguments()
  var options: [OptionDescription] = []
  /// The commands of a group; a group itself does nothing.
  var subcommands: [Command] = []
  var run: @Sendable (Invocation) async throws -> ExitStatus = { _ in .usage }

  /// How many arguments a command takes, and what they are.
  struct Arguments: Sendable {
    var least = 0
    /// The most, or nil for any number.
    var most: Int? = 0
    /// What a shell offers for each; the last stands for all that follow.
    var kinds: [CompletionKind] = []
    /// From this argument on, words that begin with one hyphen are arguments: `-TAG`.
    var hyphensFrom: Int?
  }

  /// A group holds other commands.
  var isGroup: Bool { !subcommands.isEmpty }

  func subcommand(_ name: String) -> Command? { subcommands.first { $0.name == name } }

  func option(_ name: String) -> OptionDescription? { options.first { $0.name == name } }
}

/// An option of a command: `--name` or `--name VALUE`.
struct OptionDescription: Sendable {
  /// The name with its hyphens.
  let name: String
  /// The value's name in help, or nil for an option that is just there or not.
  var value: String?
  let abstract: String
  /// Whether it may be given more than once.
  var isRepeatable = false
  var completion = CompletionKind.none

  /// The option as help shows it.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// What a shell offers in a place.
enum CompletionKind: Sendable, Equatable {
  case none, files, drafts, forms
  case words([String])
}

extension Command.Arguments {
  static func exactly(_ kinds: CompletionKind...) -> Self {
    Self(least: kinds.count, most: kinds.count, kinds: kinds)
  }

  static func atLeast(_ least: Int, _ kinds: CompletionKind...) -> Self {
    Self(least: least, most: nil, kinds: kinds)
  }

  static func optional(_ kind: CompletionKind) -> Self {
    Self(least: 0, most: 1, kinds: [kind])
  }
}

/// What the process says with its end.
enum ExitStatus: Int32, Sendable {
  case done = 0
  /// The answer is no: not valid, differs, nothing found.
  case no = 1
  /// The command line is wrong.
  case usage = 2
  /// Data or a file is bad.
  case data = 3
  /// The server refused.
  case refused = 4
  /// The server could not be reached.
  case unreachable = 5
}
