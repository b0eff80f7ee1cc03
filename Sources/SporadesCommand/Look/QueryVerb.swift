// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// The verb `query`: answer a question about the objects of a store.

extension Verb {
  static let query = Verb(
    name: "query", group: .look, summary: "Answer a question about the objects of a store",
    operands: [.store, .query],
    options: [.arguments, .model],
    details: [
      "A query is the name of an entity and any of these clauses: where CONDITION, showing COLUMNS, grouped by KEYS, having "
        + "CONDITION, sorted by KEYS, limit COUNT, offset COUNT. count ENTITY … gives the number of objects.",
      "Columns are key paths, count(), sum(x), average(x), min(x), max(x), and other expressions of the predicate "
        + "language; x as NAME names one. A key of an order may have desc behind it.",
    ],
    examples: [
      "sporades query app.sqlite 'User where age > 18 sorted by name limit 10'",
      "sporades query app.sqlite 'User grouped by city showing city, count(), average(age) sorted by count() desc'",
      "sporades query app.sqlite 'count User where name == $name' --arg name=O\\'Hara",
    ]
  ) { invocation in
    let given = try GivenStore(invocation)
    let text = try QueryText(invocation.word("QUERY"))
    let listing = try QueryReader(text, given).listing(GivenArguments(invocation, given))
    var question = listing.question
    try question.check(given.model)
    try listing.print(to: invocation.output, asJSON: invocation.isJSON)
    return .done
  }
}
