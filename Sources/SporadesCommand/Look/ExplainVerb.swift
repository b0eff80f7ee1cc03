// SPDX-License-Identifier: MIT
import SporadesExplaining
import SporadesModel
import SporadesPlans
import SporadesSQLite
import SporadesStore

// The verb `explain`: tell how a store would answer a query.

extension Verb {
  static let explain = Verb(
    name: "explain", group: .look, summary: "Tell how a store would answer a query",
    operands: [.store, .query], options: [.arguments, .model],
    details: [
      "Shows the steps of the database in sentences, and the statement. Nothing is read for the answer. The process ends "
        + "with 1 if a step reads every row of a table in no order of an index, or makes an index of its own."
    ],
    examples: ["sporades explain app.sqlite 'User where age > 18 sorted by name'"]
  ) { invocation in
    let given = try GivenStore(invocation)
    let text = try QueryText(invocation.word(Operand.query.name))
    let listing = try QueryReader(text, given).listing(GivenArguments(invocation, given))
    var question = listing.question
    try question.check(given.model)
    let plan = try given.store.explain(.table(question), in: given.view)
    if invocation.isJSON {
      try invocation.output.print(
        .object([
          ("servedByIndexes", .bool(plan.isServedByIndexes)), ("indexes", .texts(plan.indexes)),
          ("steps", .list(plan.steps.map(json))), ("statement", .optional(plan.statement)),
        ]))
    } else {
      try invocation.output.printLine("\(plan)")
    }
    return plan.isServedByIndexes ? .done : .foundSomething
  }

  private static func json(_ step: FetchPlan.Step) -> JSON {
    .object([("sentence", .text(step.sentence)), ("depth", .count(step.depth))])
  }
}
