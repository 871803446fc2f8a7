import CMicroHTTPD
import DraftStore
import FormEditing
import FormModel

/// A page in the browser, served on this machine, on which the forms of a store are filled.
///
/// ```swift
/// let page = try FormPage(store)
/// print(page.url)     // http://127.0.0.1:8420/?token=…
/// try page.close()    // saves what is not saved yet
/// ```
///
/// Every edit is on the disk before the page is told that it is. Pages that have one draft open see
/// each other's edits, and those that others make in the store. Whoever knows the address, which
/// holds a random token, may use it; requests of other pages are refused.
public final class FormPage: Sendable {
  /// Where and how the page is served.
  public struct Options: Sendable {
    /// The address or name of this machine at which is listened.
    public var host: String
    /// The port; 0 takes any that is free.
    public var port: Int
    /// The names by which others than this machine reach the page. When there are none, `host`
    /// must be this machine's own (loopback).
    public var allowedHosts: [String]
    /// How a `FormParam` is assembled at submission.
    public var param: FormParam.Options
    /// How edits are saved.
    public var editing: EditingSession.Options

    public init(
      host: String = "127.0.0.1", port: Int = 8420, allowedHosts: [String] = [],
      param: FormParam.Options = FormParam.Options(),
      editing: EditingSession.Options = EditingSession.Options()
    ) {
      self.host = host
      self.port = port
      self.allowedHosts = allowedHosts
      self.param = param
      self.editing = editing
    }
  }

  /// The address to open, with its token.
  public let url: String
  private let router: Router
  private let server: WebServer
  private let tending: Task<Void, Never>

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - store: the forms and drafts.
  ///   - options: where and how.
  /// - Throws: ``FormPageError``
  public init(_ store: DraftStore, options: Options = Options()) throws(FormPageError) {
    let listener = cmhd_listen(
      options.host, String(options.port), options.allowedHosts.isEmpty ? 1 : 0)
    switch listener.result {
    case CMHD_LISTENING: break
    case CMHD_NOT_LOOPBACK: throw .notLoopback(options.host)
    case CMHD_UNKNOWN_HOST:
      throw .unknownHost(options.host, reason: String(cString: gai_strerror(listener.number)))
    default:
      throw .cannotListen(
        options.host, options.port, reason: String(cString: strerror(listener.number)))
    }
    let port = Int(listener.port)
    let access = Access(port: port, host: options.host, allowedHosts: options.allowedHosts)
    router = Router(store, access, options)
    guard let server = WebServer(listener, cookieName: access.cookieName, handler: router) else {
      cmhd_close(listener)
      throw .cannotListen(options.host, port, reason: "the server can't start its threads")
    }
    self.server = server
    let name = Access.urlHost(options.allowedHosts.first ?? options.host)
    url = "http://\(name):\(port)/?token=\(access.token)"
    let drafts = router.drafts
    tending = Task {
      while (try? await Task.sleep(for: .seconds(15))) != nil { drafts.tend() }
    }
  }

  /// Saves what is not saved yet, and ends.
  ///
  /// - Throws: `DatabaseError`, `StoreError` when something could not be saved.
  public func close() throws {
    tending.cancel()
    router.close()
    // The server can't stop while there are streams. What can't be saved now is tried again after
    // the requests that are being answered; what they bring is saved too.
    try? router.drafts.close()
    server.stop()
    try router.drafts.close()
  }
}

/// Why the page can't be served.
public enum FormPageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Others could reach the address, and it was not said that they may.
  case notLoopback(String)
  /// The host has no address.
  case unknownHost(String, reason: String)
  /// Nothing can listen there.
  case cannotListen(String, Int, reason: String)

  public var description: String {
    switch self {
    case .notLoopback(let host):
      """
      \(host) can be reached from other machines, and what is sent there is not encrypted; \
      leave the host out, or say by which name it is to be reached
      """
    case .unknownHost(let host, let reason): "no such host as \(host): \(reason)"
    case .cannotListen(let host, let port, let reason):
      "can't listen at \(host), port \(port): \(reason)"
    }
  }
}
