extension Command {
  /// The help of this command.
  ///
  /// - Parameter path: the names that lead to it, without the program's.
  func help(path: [String], root: Command) -> String {
    let name = (["formdraft"] + path).joined(separator: " ")
    var parts = ["usage: \(name) \(usageAfterName(isRoot: path.isEmpty))"]
    parts.append(abstract)
    if !discussion.isEmpty { parts.append(discussion) }
    if isGroup { parts.append(Self.list("commands", commandRows())) }
    let own = options.filter { root.option($0.name) == nil || path.isEmpty }
    let shared = root.options.filter { option in !options.contains { $0.name == option.name } }
    if !own.isEmpty { parts.append(Self.list("options", own.map { ($0.usage, $0.abstract) })) }
    if !shared.isEmpty {
      parts.append(Self.list("options of all commands", shared.map { ($0.usage, $0.abstract) }))
    }
    let lines = examples.map { "  formdraft \($0)" }.joined(separator: "\n")
    parts.append((examples.count == 1 ? "example:\n" : "examples:\n") + lines)
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func usageAfterName(isRoot: Bool) -> String {
    if isRoot { return "[--store FILE] [--json] COMMAND …" }
    let options = options.map { $0.isRepeatable ? "[\($0.usage)]…" : "[\($0.usage)]" }
    return ([isGroup ? "COMMAND …" : usage] + options).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The commands beneath, those of groups with the group's name.
  private func commandRows(prefix: String = "") -> [(String, String)] {
    subcommands.flatMap { command in
      command.isGroup
        ? command.commandRows(prefix: "\(prefix)\(command.name) ")
        : [("\(prefix)\(command.name) \(command.usage)", command.abstract)]
    }
  }

  private static func list(_ title: String, _ rows: [(String, String)]) -> String {
    let width = min(36, rows.map { $0.0.displayWidth }.max() ?? 0)
    let lines = rows.map { left, right in
      left.displayWidth > width
        ? "  \(left)\n  \(String(repeating: " ", count: width))  \(right)"
        : "  \(left.padded(to: width))  \(right)"
    }
    return "\(title):\n" + lines.joined(separator: "\n")
  }
}
