// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

// The verb `inspect`: tell what is in a store.

extension Verb {
  static let inspect = Verb(
    name: "inspect", group: .look, summary: "Tell what is in a store",
    operands: [.store], options: [.model],
    details: [
      "Shows the store's identifier, the framework that wrote it, the place where its model came from, and the rows of "
        + "each entity, without those of its subentities. The model is the one that the store carries (cached), that of "
        + "--model (file), or one made of the tables (inferred).",
      "Nothing in the store's folder is changed, also where a log is pending or another process has the store open.",
    ],
    examples: ["sporades inspect app.sqlite", "sporades inspect app.sqlite --json | jq .entities"]
  ) { invocation in
    let report = try StoreReport(GivenStore(invocation))
    if invocation.isJSON {
      try invocation.output.print(report.json)
    } else {
      try report.print(to: invocation.output)
    }
    return .done
  }
}
