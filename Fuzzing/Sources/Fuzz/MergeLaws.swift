import FormModel

@testable import DraftStore
@testable import DraftSync

private let form: PreparedForm = {
  let types: KeyValuePairs<String, DataType> = [
    "name": .string, "age": .integer, "sum": .decimal, "day": .date, "is": .boolean, "any": .json,
  ]
  let rows = types.map { key, type in
    Row(
      key: key, serviceKey: key,
      kind: type == .json
        ? .custom(CustomContent("any", dataType: .json)) : .input(InputContent(dataType: type)))
  }
  return PreparedForm(Form(id: "f", sections: [Section(rows: rows)]))
}()

private let settings = try? SyncSettings(parsing: Array(#"{"url":"https://host/{id}"}"#.utf8))

/// A merge of a server's record decides each field once, loses no value, and is complete.
///
/// - Parameters:
///   - headers: `X-Base` and `X-Mine` hold what the server was known to hold, and what is submitted.
func testMerge(_ record: JSONObject, _ headers: HTTPHeaders, _ tag: EntityTag?) {
  guard var settings else { return law(false, "the settings are refused") }
  let (base, mine) = (entries(headers["X-Base"]), entries(headers["X-Mine"]))
  for policy in SyncSettings.ConflictPolicy.allCases {
    settings.conflictPolicy = policy
    let result = UploadPlan(task: task(mine, base, tag), settings: settings)
      .merge(with: record, RuleRegistry())
    for conflict in result.conflicts where policy != .ask {
      // What can't be held, or was emptied, is for a person.
      let isForAPerson =
        !form.canHold(conflict.theirs, for: conflict.serviceKey)
        || conflict.theirs?.isBlank ?? true
      law(policy == .theirs && isForAPerson, "a conflict in spite of the policy")
    }
    for (key, value) in result.taken {
      law(form.canHold(value, for: key), "a value is taken that can't be held")
    }
    for key in result.conflicts.map(\.serviceKey) {
      law(!result.taken.contains { $0.key.hasSameBytes(as: key) }, "a conflict is decided")
      law(!result.acknowledged.contains { $0.key.hasSameBytes(as: key) }, "a conflict is settled")
    }
    for entry in mine
    where !result.taken.contains(where: { $0.key.hasSameBytes(as: entry.serviceKey) }) {
      let kept = result.merged.first { $0.serviceKey.hasSameBytes(as: entry.serviceKey) }
      law(kept?.value == entry.value, "a merge loses a value")
    }
    guard result.conflicts.isEmpty else { continue }
    let held = result.acknowledged.compactMap { key, value in
      value.map { FormParam.Entry(serviceKey: key, value: $0) }
    }
    testNext(UploadPlan(task: task(result.merged, held, tag), settings: settings), record)
  }
}

/// What is left to do after a merge.
private func testNext(_ plan: UploadPlan, _ record: JSONObject) {
  let again = plan.merge(with: record, RuleRegistry())
  law(again.taken.isEmpty && again.conflicts.isEmpty, "a second merge finds more")
  switch try? plan.step() {
  case .nothing: law(plan.changes.isEmpty, "changes are left")
  case .fetch: law(plan.task.record?.etag.flatMap(EntityTag.init) == nil, "a tag is not used")
  case .send(let frozen):
    law(frozen.kind == .change, "a record is made anew")
    law(!frozen.keys.isEmpty, "a request changes nothing")
    law(plan.isComplete(with: frozen.keys), "a part is sent without a limit")
    law(FrozenRequest(frozen.text) == frozen, "a kept request is another")
  // Refused: a tag that is weak, or a change that can't be said.
  case nil: break
  }
}

/// Fields of a JSON object, as the form has them.
private func entries(_ text: String?) -> [FormParam.Entry] {
  let object = text.flatMap { try? JSONValue(parsing: $0) }?.objectValue
  return (object?.members ?? []).map { member in
    let type = form.field(member.key)?.dataType ?? .json
    return FormParam.Entry(
      serviceKey: member.key,
      value: (try? FieldValue(json: member.value, as: type)) ?? .json(member.value))
  }
}

/// A submission on its way, of which the server is known to hold something.
private func task(
  _ mine: [FormParam.Entry], _ held: [FormParam.Entry], _ tag: EntityTag?
) -> OutboxTask {
  let (draft, time) = (DraftID(stored: "d"), Timestamp(milliseconds: 0))
  return OutboxTask(
    item: OutboxItem(
      id: 1, draft: draft, submission: 2, state: .sending, attempts: 0, nextAttemptAt: time,
      lastError: nil, createdAt: time),
    idempotencyKey: "k",
    submission: Submission(
      draft: draft, number: 2, form: "f", version: 1, draftRevision: 1, entries: mine,
      filteredKeys: [], keptKeys: [], createdAt: time),
    form: form, acknowledgedForm: form, acknowledged: held,
    record: ServerRecord(etag: tag?.description, submission: 1), frozenRequest: nil, lease: "l")
}
