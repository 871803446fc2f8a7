import Foundation
import Synchronization

/// A server of the Python environment in `.build/servers`, as a process of its own.
public final class PythonServer: Sendable {
  /// Why a server can't be used, in words that tell what to do.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The package's folder.
  public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  public let port: Int
  /// What runs, until it is stopped.
  private let running: Mutex<Running?>

  private struct Running {
    let process: Process
    let input: Pipe

    func end() {
      try? input.fileHandleForWriting.close()
      if process.isRunning { process.waitUntilExit() }
    }
  }

  /// Starts a server and waits until it answers.
  ///
  /// - Parameters:
  ///   - program: its program in the environment.
  ///   - health: a path that it answers with success when it is ready.
  ///   - arguments: what makes its arguments of the port.
  init(_ program: String, health: String, arguments: (Int) -> [String]) throws {
    let path = "\(Self.root)/.build/servers/bin/\(program)"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(description: "\(path) is missing: run scripts/install-servers")
    }
    let (listener, port) = Socket.listening()
    close(listener)
    self.port = port
    let (process, input) = (Process(), Pipe())
    let log = NSTemporaryDirectory() + "server-\(UUID().uuidString).log"
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Its input ends when the tests do, however they end; then the server is stopped. Processes
    // that are started from a thread of Dispatch have all milder signals blocked.
    process.arguments =
      [
        "-c",
        #"log=$1; shift; "$@" >"$log" 2>&1 </dev/null & read -r _; kill -9 $!; rm "$log""#,
        "sh", log, path,
      ] + arguments(port)
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // No other process that is started may hold the pipe open.
    _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    running = Mutex(Running(process: process, input: input))
    let ask = Array("GET \(health) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    for _ in 0..<2400 {
      if let answer = exchange(ask, port: port), answer.status == 200 { return }
      usleep(50_000)
    }
    stop()
    throw Failure(description: "\(program) does not answer; see \(log)")
  }

  deinit { stop() }

  func stop() {
    running.withLock { running in
      running?.end()
      running = nil
    }
  }

  /// httpbin, which tells what it was sent.
  public static func httpbin() throws -> PythonServer {
    try PythonServer("waitress-serve", health: "/status/200") {
      ["--host=127.0.0.1", "--port=\($0)", "httpbin:app"]
    }
  }
}
