import FormModel
import Foundation
import Testing

@Suite struct DurabilityTests {
  /// A loop of edits that is killed wherever it is: every edit that was acknowledged is there.
  @Test func whatWasAcknowledgedSurvivesKill() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    // With -m each loop is a process group, which is killed with the command that runs in it, a
    // moment after its first edit.
    let result = try store.shell(
      """
      exec 2> /dev/null
      set -m
      echo 0 > acknowledged
      for round in 1 2 3 4 5 6; do
        before=$(tail -n 1 acknowledged)
        (for ((i = $(tail -n 1 acknowledged) + 1; ; i++)); do
          formdraft draft set \(id) rate=$i > /dev/null && echo $i >> acknowledged
        done) &
        loop=$!
        for ((i = 0; i < 1000; i++)); do
          [ "$(tail -n 1 acknowledged)" -gt "$before" ] 2> /dev/null && break
          sleep 0.1
        done
        sleep 0.3
        kill -9 -- -$loop
        wait $loop
      done
      exit 0
      """)
    #expect(result.status == 0)
    let acknowledged = try store.folder.text(of: "acknowledged").split(separator: "\n")
    let last = try #require(acknowledged.last.flatMap { Int64($0) })
    #expect(last > 0)
    let record = try store.run("draft", "show", id, "--json").record()
    // The one that was killed may have been saved before it could say so.
    let rate = try #require(record["values"]?["rate"]?.integerValue)
    #expect((last...last + 1).contains(rate))
    #expect(record["revision"]?.integerValue == rate)
    #expect(try store.run("store", "check").status == 0)
  }

  @Test func twoProcessesLoseNothing() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let count = 15
    let result = try store.shell(
      """
      edit() { for ((i = 1; i <= \(count); i++)); do
        formdraft draft set \(id) $1=$i > /dev/null || echo failed; done; }
      edit rate & edit amount & edit remark & wait
      """)
    #expect(result.output.isEmpty)
    #expect(result.errors.isEmpty)
    let record = try store.run("draft", "show", id, "--json").record()
    #expect(record["revision"] == .number(DecimalNumber(Int64(count * 3))))
    #expect(record["values"]?["rate"] == 15)
    #expect(record["values"]?["amount"] == 15)
    #expect(record["values"]?["remark"] == "15")
  }

  /// A process that is killed while it makes the store leaves one that can be used, or none.
  @Test func aKillWhileTheStoreIsMadeLocksNobodyOut() throws {
    for delay in stride(from: 0, through: 40, by: 2) {
      let store = try TestStore()
      let form = TestStore.definition("interests")
      _ = try store.shell(
        "formdraft form add '\(form)' >/dev/null & sleep 0.0\(delay < 10 ? "0" : "")\(delay); "
          + "kill -9 $! 2>/dev/null; wait $! 2>/dev/null; true")
      try store.done("form", "add", form)
      let draft = try store.newDraft("interests")
      try store.done("draft", "tag", draft, "interests", "+music")
      try store.done("store", "check")
    }
  }
}
