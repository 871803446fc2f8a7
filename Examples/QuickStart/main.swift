import DraftStore
import DraftSync
import FormModel

// A form, in Swift; `Form(definition:)` reads the same from JSON.
let visit = Form(id: "visit", title: "Home visit") {
  Section("Person") {
    Input("Name", serviceKey: "name").required()
    Input("Phone", serviceKey: "phone")
      .verify(.mobileCN, errorMsg: "Please check the number")
  }
  Section("Visit") {
    Input("Date", serviceKey: "date", as: .date).required()
    Tags("Needs", serviceKey: "needs") {
      Tag("food", "Food")
      Tag("care", "Care")
    }
    .choices(least: 1)
  }
}

let path = CommandLine.arguments.dropFirst().first ?? "visits.store"
let store = try DraftStore(path: path)
try store.add(visit)

// Each edit is saved when the call returns.
let draft = try store.newDraft(of: "visit", subject: "household 17")
try store.set(.string("张三"), for: "name", in: draft.id)
try store.edit(draft.id) {
  $0.set(.string("2024-02-29"), for: "date")
  $0.set(.tags(["care"]), for: "needs")
  $0.focus = "phone"
}

// Later, perhaps after the app was killed: the draft of this form about this household.
guard let resumed = try store.draft(of: "visit", about: "household 17") else {
  fatalError("the draft is not there")
}
print("resumed at \(resumed.focus ?? "the start"), name \(resumed["name"]?.text ?? "")")

// Submit, edit, and see what changed since.
let submission = try store.submit(resumed.id)
try store.set(.string("13800138000"), for: "phone", in: resumed.id)
let changes = try store.changes(of: resumed.id)
print("submission \(submission.number): \(submission.param.keys)")
print("to upload: \(try changes.mergePatch().json)")
