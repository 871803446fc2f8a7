/// The shells whose completions are written.
enum Shell: String, CaseIterable {
  case bash, zsh
}

extension Command {
  static let completion: Command = Command(
    name: "completion", abstract: "prints the completions of a shell", usage: "bash|zsh",
    discussion: """
      bash: source <(formdraft completion bash)
      zsh:  formdraft completion zsh > a folder of $fpath/_formdraft
      """,
    examples: ["completion bash > /etc/bash_completion.d/formdraft"],
    arguments: .exactly(.words(Shell.allCases.map(\.rawValue)))
  ) { invocation in
    guard let shell = Shell(rawValue: invocation.arguments[0]) else {
      throw UsageError("there are completions for bash and zsh", invocation.path)
    }
    try Console.print(CompletionScript(shell: shell, root: .formdraft).text)
    return .done
  }
}

/// A shell function that offers what can stand in a place, made from the commands' description.
///
/// Both shells get the same function, which follows the words before the place; how they call it and
/// what they do with the answer differs.
struct CompletionScript {
  let shell: Shell
  let root: Command

  var text: String {
    switch shell {
    case .bash:
      """
      # Completions of formdraft for bash.
      \(function)
      _formdraft() {
        local word cur=${COMP_WORDS[COMP_CWORD]} i
        local -a words=()
        # Bash splits --option=value into three words; the function wants the option before it.
        for ((i = 0; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          [[ $word == "=" ]] || words+=("$word")
        done
        [[ $cur == "=" ]] && cur=""
        local -a offer=()
        local files=""
        _formdraft_offer "${words[@]}"
        COMPREPLY=()
        # No compgen -W: it would run what a form's id may hold.
        for word in "${offer[@]}"; do
          [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
        done
        [[ -n $files ]] || return 0
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
      }
      complete -F _formdraft formdraft

      """
    case .zsh:
      """
      #compdef formdraft
      # Completions of formdraft for zsh.
      \(function)
      _formdraft() {
        local -a offer=()
        local files=""
        _formdraft_offer "${(@)words[1,CURRENT-1]}"
        [[ -n $files ]] && _files
        (( ${#offer} )) && compadd -- "${offer[@]}"
        return 0
      }
      if [[ $funcstack[1] == _formdraft ]]; then
        _formdraft "$@"
      else
        compdef _formdraft formdraft
      fi

      """
    }
  }

  /// Follows the words before the place, then sets the array `offer`, and `files` where a file fits.
  private var function: String {
    """
    _formdraft_ids() {
      local id
      while IFS= read -r id; do
        offer+=("$id")
      done < <(formdraft ${store:+"--store=$store"} "$1" list --ids 2>/dev/null)
    }
    _formdraft_offer() {
      local command="" value="" store="" word
      local -i count=0
      shift
      for word in "$@"; do
        if [[ -n $value ]]; then
          [[ $value == --store ]] && store=$word
          value=""
          continue
        fi
        case "$command:$word" in
    \(valueOptions.map { "      \($0)) value=$word ;;" }.joined(separator: "\n"))
          *:--*) ;;
    \(steps.joined(separator: "\n"))
          *) count+=1 ;;
        esac
      done
      if [[ -n $value ]]; then
        case "$command:$value" in
    \(optionValues.joined(separator: "\n"))
        esac
        return 0
      fi
      case "$command" in
    \(places.joined(separator: "\n"))
      esac
    }
    """
  }

  /// Every command with the names that lead to it.
  private var commands: [(path: String, command: Command)] {
    func walk(_ command: Command, _ path: String) -> [(String, Command)] {
      [(path, command)]
        + command.subcommands.flatMap {
          walk($0, path.isEmpty ? $0.name : "\(path) \($0.name)")
        }
    }
    return walk(root, "")
  }

  /// Patterns of the options that take the next word: a command's own, then those of all.
  private var valueOptions: [String] {
    let own = commands.dropFirst().flatMap { path, command in
      command.options.filter { $0.value != nil }.map { "\"\(path):\($0.name)\"" }
    }
    return own + root.options.filter { $0.value != nil }.map { "*:\($0.name)" }
  }

  /// From a group and a word to the command.
  private var steps: [String] {
    commands.flatMap { path, command in
      command.subcommands.map { sub in
        let next = path.isEmpty ? sub.name : "\(path) \(sub.name)"
        return "      \"\(path):\(sub.name)\") command=\"\(next)\" ;;"
      }
    }
  }

  /// What is offered as the value of an option.
  private var optionValues: [String] {
    let own = commands.dropFirst().flatMap { path, command in
      command.options.filter { $0.value != nil }.map { ("\"\(path):\($0.name)\"", $0) }
    }
    let shared = root.options.filter { $0.value != nil }.map { ("*:\($0.name)", $0) }
    return (own + shared).compactMap { pattern, option in
      offer(option.completion).map { "      \(pattern)) \($0) ;;" }
    }
  }

  /// What is offered after a command, and after each number of its arguments.
  private var places: [String] {
    commands.map { path, command in
      let options = command.options + root.options.filter { command.option($0.name) == nil }
      let words = command.subcommands.map(\.name) + options.map(\.name)
      var lines = ["    \"\(path)\")", "      offer=(\(words.joined(separator: " ")))"]
      for (index, kind) in command.arguments.kinds.enumerated() {
        guard let more = offer(kind) else { continue }
        let isLast = index == command.arguments.kinds.count - 1
        let comparison = isLast && command.arguments.most == nil ? ">=" : "=="
        lines.append("      if ((count \(comparison) \(index))); then \(more); fi")
      }
      return (lines + ["      ;;"]).joined(separator: "\n")
    }
  }

  /// The shell's words that add what a kind of place takes, or nil when there is nothing to offer.
  private func offer(_ kind: CompletionKind) -> String? {
    switch kind {
    case .none: nil
    case .files: "files=1"
    case .words(let words): "offer+=(\(words.joined(separator: " ")))"
    case .drafts: "offer+=(@); _formdraft_ids draft"
    case .forms: "_formdraft_ids form"
    }
  }
}
