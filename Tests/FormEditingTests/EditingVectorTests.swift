import DraftStore
import FormEditing
import FormModel
import Testing

/// Tests/Vectors/editing, against the editor alone and against a session with its store.
@Suite struct EditingVectorTests {
  @Test(arguments: EditingVectors.names)
  func theEditor(_ name: String) throws {
    let vectors = try EditingVectors(name)
    let form = PreparedForm(vectors.form)
    for vector in vectors.cases where !vector.usesHistory {
      var editor = FormEditor(form, values: vector.values)
      for (index, step) in vector.steps.enumerated() {
        let outcome: EditingOutcome
        if let event = step["event"] {
          outcome = editor.handle(try EditingEvent(json: event))
        } else {
          editor.leave()
          editor = FormEditor(form, values: editor.savedValues)
          outcome = editor.opening
        }
        check(outcome, editor.savedValues, step, "\(name): \(vector.name), step \(index + 1)")
        // What shows is told in full by each answer.
        #expect(outcome.errors == editor.errors)
        #expect(step["open"] != nil || outcome.focus == editor.focus)
      }
    }
  }

  @Test(arguments: EditingVectors.names)
  func theSession(_ name: String) throws {
    let vectors = try EditingVectors(name)
    let test = try TestStore(vectors.form)
    for vector in vectors.cases {
      let draft = try test.newDraft(vectors.form, vector.values)
      var session = try test.session(draft)
      for (index, step) in vector.steps.enumerated() {
        let place = "\(name): \(vector.name), step \(index + 1)"
        let outcome: EditingOutcome?
        if let event = step["event"] {
          outcome = session.handle(try EditingEvent(json: event))
        } else if step["undo"] != nil {
          outcome = try session.undo()
        } else if step["redo"] != nil {
          outcome = try session.redo()
        } else {
          try session.leave()
          session = try test.session(draft)
          outcome = session.opening
        }
        // Not flushed where steps to undo must not be told apart by it.
        if !vector.usesHistory { try session.flush() }
        let saved =
          vector.usesHistory ? session.editor.savedValues : try test.store.draft(draft).values
        #expect(saved == session.editor.savedValues, "\(place)")
        check(outcome, saved, step, place, isFocusSaved: step["open"] != nil)
      }
      try session.leave()
      #expect(try test.store.draft(draft).values == session.editor.savedValues)
    }
  }

  private func check(
    _ outcome: EditingOutcome?, _ values: [String: FieldValue], _ step: JSONValue, _ place: String,
    isFocusSaved: Bool = false
  ) {
    guard var expected = step["expect"]?.objectValue else { return }
    let wanted = expected["values"]
    expected["values"] = nil
    // The editor alone does not keep where the person was.
    if isFocusSaved { expected["focus"] = nil }
    let actual = outcome.map { JSONValue.object($0.json) } ?? [:]
    var found = differences(actual, from: .object(expected))
    if let wanted { found += differences(values.json, from: wanted, at: "/values") }
    #expect(found == [], "\(place)")
  }
}
