import DraftStore
import FormModel
import FormPage

extension Command {
  static let serve = Command(
    name: "serve", abstract: "serves a page in the browser on which forms are filled",
    discussion: """
      Prints the page's address and serves it until it is interrupted. Every edit is saved as it is
      made. The address holds a token: who does not know it is refused, other users of this machine
      too. After a new start, open the new address; pages that are still open go on with it.
      """,
    examples: [
      "--store visits.store serve",
      "--store visits.store serve --port 0",
      "--store visits.store serve --host 0.0.0.0 --allow-host desk.example",
    ],
    options: [
      OptionDescription(
        name: "--port", value: "N", abstract: "the port; 8420 when left out, 0 takes a free one"),
      OptionDescription(
        name: "--host", value: "H", abstract: "where to listen; 127.0.0.1 when left out"),
      OptionDescription(
        name: "--allow-host", value: "NAME",
        abstract: "lets other machines in, unencrypted, by this name of this one",
        isRepeatable: true),
    ] + OptionDescription.paramOptions
  ) { invocation in
    var options = FormPage.Options(
      allowedHosts: invocation.values("--allow-host"), param: try invocation.paramOptions())
    if let port = try invocation.integer("--port", atLeast: 0) { options.port = port }
    if let host = invocation.value("--host") { options.host = host }
    guard options.port <= 65535 else {
      throw UsageError("--port takes a number up to 65535", invocation.path)
    }
    let interruptions = System.interruptions()
    let page = try FormPage(invocation.openStore(), options: options)
    if invocation.isJSON {
      try Console.print(["url": .string(page.url)])
    } else {
      try Console.print("\(page.url)\n")
    }
    for await _ in interruptions { break }
    try page.close()
    return .done
  }
}
