// SPDX-License-Identifier: MIT

/// The sentences of steps that every database takes.
package typealias PlanWords = (work: FetchPlan.Work, sentence: String)

extension FetchPlan.Step {
  /// A column, and the sign behind it in a condition. Plans name no values.
  package static func condition(_ property: some StringProtocol, _ sign: some StringProtocol)
    -> String
  {
    "\(property) \(sign) a value"
  }

  /// Reads every row of a table.
  package static func readAll(_ rows: String) -> PlanWords {
    (.readAll, "Reads every row of \(rows).")
  }

  /// Finds rows by their key. The condition begins with a comma.
  package static func findByKey(_ rows: String, _ condition: String) -> PlanWords {
    (.findByKey, "Finds rows of \(rows) by their key\(condition).")
  }

  /// Finds rows by an index. The condition begins with a comma.
  package static func find(_ rows: String, by index: String, _ condition: String) -> PlanWords {
    (.find(index: index), "Finds rows of \(rows) by the index \(index)\(condition).")
  }

  /// Reads a table by an index. `isOfOrder` says that nothing but the order makes it do so.
  package static func read(
    _ rows: String, by index: String, isOfOrder: Bool, isWithoutRows: Bool
  ) -> PlanWords {
    (
      isOfOrder ? .readInOrder(index: index) : .readAll,
      "Reads every row of \(rows) in the order of the index \(index)\(isWithoutRows ? ", and no row beside it" : "")."
    )
  }

  package static let sorting = "Sorts the rows, because no index has their order."
  package static let sortingTies = "Sorts the rows that an index leaves in one place of the order."
  package static let grouping = "Sorts the rows into groups, because no index has their order."
  package static let joining = "Joins the rows that several indexes find:"
  package static let once = "Does once:"
  package static let forEach = "Does for each of these rows:"
}
