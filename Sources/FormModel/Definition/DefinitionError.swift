/// Everything that is wrong with a form's definition, each with its place and what to do.
public struct DefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One fault.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// Where: `section 2 "借款人", row 3 "备注" (remark)`.
    public let place: String
    /// What is wrong and what to do.
    public let message: String

    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
  }

  /// The faults in form order, at least one.
  public let problems: [Problem]

  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects faults while a definition is read and checked.
final class ProblemList {
  private(set) var problems: [DefinitionError.Problem] = []
  /// The place of each row that could be read.
  var rowPlaces: [String] = []
  /// Whether a row could not be read, so that its keys are not known.
  var hasLostRows = false
  /// Whether the form's id is there, but is no text.
  var hasLostID = false
  /// The places of rows with a key that is no text.
  var placesOfLostKeys: Set<String> = []

  func add(_ place: String, _ message: String) {
    problems.append(.init(place: place, message: message))
  }
}
