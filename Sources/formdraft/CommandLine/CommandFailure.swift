import DraftDatabase
import DraftStore
import DraftSync
import FormModel
import FormPage

/// Why a command did not do what it was asked, ready to be told.
struct CommandFailure: Error {
  let status: ExitStatus
  /// The name of the kind of error, for machines.
  let code: String
  let message: String
  /// The field that it is about, or nil.
  var key: String?
}

extension CommandFailure {
  /// What an error of the libraries means at the command line, one for each fault.
  static func failures(of error: any Error) -> [CommandFailure] {
    switch error {
    case let failure as CommandFailure:
      return [failure]
    case let failures as CommandFailures:
      return failures.all
    case let error as UsageError:
      let help = (["formdraft"] + error.path + ["--help"]).joined(separator: " ")
      return [
        CommandFailure(
          status: .usage, code: "usage", message: "\(error.message); \"\(help)\" tells more")
      ]
    case StoreError.notValid(_, let param):
      return param.errors.map {
        CommandFailure(
          status: .no, code: "notValid", message: "\($0.key): \($0.message)", key: $0.key)
      }
    case let error as StoreError:
      return [
        CommandFailure(
          status: .data, code: error.code, message: error.description, key: error.key)
      ]
    case let error as DatabaseError where error.code == .corrupt:
      return [
        CommandFailure(
          status: .data, code: error.code.rawValue,
          message: "\(error); \"formdraft store recover FILE\" does that")
      ]
    case let error as DatabaseError:
      return [
        CommandFailure(status: .data, code: error.code.rawValue, message: error.description)
      ]
    case let error as DefinitionError:
      return error.problems.map {
        CommandFailure(status: .data, code: "badDefinition", message: $0.description)
      }
    case let error as MergePatchError:
      return [
        CommandFailure(
          status: .data, code: "mergePatch", message: error.description, key: error.key)
      ]
    case let error as SyncSettingsError:
      return error.problems.map {
        CommandFailure(status: .data, code: "badSettings", message: $0.description)
      }
    case let error as CredentialError:
      return [CommandFailure(status: .data, code: "credentials", message: error.description)]
    case let error as RequestRefusal:
      return [CommandFailure(status: .data, code: "request", message: "\(error)")]
    case FormPageError.notLoopback(let host):
      return [
        CommandFailure(
          status: .usage, code: "notLoopback",
          message: "\(FormPageError.notLoopback(host)): --allow-host NAME")
      ]
    case let error as FormPageError:
      return [CommandFailure(status: .data, code: "cannotServe", message: error.description)]
    case let error as JSONError:
      return [CommandFailure(status: .data, code: "badJSON", message: error.description)]
    case let error as System.Failure:
      return [CommandFailure(status: .data, code: "file", message: error.description)]
    default:
      return [CommandFailure(status: .data, code: "other", message: "\(error)")]
    }
  }

  /// The same failure, of a file.
  func of(file: String) -> CommandFailure {
    CommandFailure(status: status, code: code, message: "\(file): \(message)", key: key)
  }
}

/// Several failures of one command, all of which are told.
struct CommandFailures: Error {
  let all: [CommandFailure]
}
