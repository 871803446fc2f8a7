import DraftStore
import FaultSupport
import FormModel
import Foundation

/// Edits one field of a draft again and again, each time adding one to the draft's sum.
func writeFields(path: String, draft: String, field: String, count: Int) throws {
  guard let id = DraftID(draft) else { throw UnknownAction(name: draft) }
  let store = try DraftStore(path: path)
  for number in 1...count {
    var edit = DraftEdit()
    edit.set(.integer(Int64(number)), for: field)
    edit.update("sum") { saved in
      guard case .integer(let sum)? = saved else { return .integer(1) }
      return .integer(sum + 1)
    }
    try store.edit(id, edit)
  }
  try store.close()
  print("wrote \(count)")
}

/// Reads a draft until its sum is complete; whenever it is read, the sum must be that of its fields.
/// Tells when it has begun, and how many states it has seen.
func readFields(path: String, draft: String, total: Int) throws {
  guard let id = DraftID(draft) else { throw UnknownAction(name: draft) }
  let store = try DraftStore(path: path)
  var reads = 0
  var states = 0
  var sum: Int64 = -1
  while sum < total {
    let draft = try store.draft(id)
    reads += 1
    var fields: Int64 = 0
    var seen: Int64 = 0
    for field in draft.fields {
      guard case .integer(let number) = field.value else { continue }
      if field.key == "sum" { seen = number } else { fields += number }
    }
    guard seen == fields, draft.revision == Int(seen), seen >= sum else {
      print("wrong: a sum of \(seen) in fields of \(fields), revision \(draft.revision)")
      return
    }
    if reads == 1 {
      let line = Array("reading\n".utf8)
      _ = write(STDOUT_FILENO, line, line.count)
    }
    if seen > sum { states += 1 }
    sum = seen
  }
  try store.close()
  print("read \(states) states")
}
