// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore

// The verb `vacuum`: give back the room that deletions left in a store.

extension Verb {
  static let vacuum = Verb(
    name: "vacuum", group: .care, summary: "Give back the room that deletions left in a store",
    operands: [.store],
    details: [
      "Writes the file anew without its empty pages, and moves the pending log into it. Objects, keys and the history stay as "
        + "they are. The disk needs as much room as the file takes. A program that writes to the store at the moment makes it "
        + "fail, and nothing is changed then."
    ],
    examples: ["sporades vacuum app.sqlite"]
  ) { invocation in
    let path = invocation.word(Operand.store.name)
    let (before, after) = try SQLiteStore.vacuum(storeAt: path)
    if invocation.isJSON {
      try invocation.output.print(
        .object([("bytesBefore", .count(before)), ("bytesAfter", .count(after))]))
    } else {
      try invocation.output.printLine(
        "\(path) takes \(ByteCount.text(after)); before, it took \(ByteCount.text(before)).")
    }
    return .done
  }
}
