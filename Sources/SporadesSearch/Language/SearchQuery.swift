// SPDX-License-Identifier: MIT

/// A search as it was understood.
///
/// `description` shows the query in the language of searches, without what was ignored. Reading the description makes
/// the same query.
public struct SearchQuery: Hashable, Sendable, CustomStringConvertible {
  /// The tokens of the longest query. A query ends before the first phrase that would be longer; a phrase is cut.
  public static let longest = 256
  /// The levels of parentheses that group. The search ignores deeper parentheses and keeps the words in them.
  public static let deepest = 10

  /// The condition; nil finds nothing.
  public let root: SearchTerm?
  /// The names of the searched columns, in their order.
  public let columns: [String]
  /// The form of the tokens.
  public let form: SearchForm
  /// The conditions of the single phrases and columns.
  package let plan: SearchPlan

  init(root: SearchTerm?, columns: [String], form: SearchForm) {
    self.root = root
    self.columns = columns
    self.form = form
    plan = SearchPlan(root, columns: columns, form: form)
  }

  public var description: String { root?.description ?? "" }

  /// The expression for `MATCH` on an FTS5 table with the columns `c0`, `c1` and so on, whose tokenizer is `ascii` and whose
  /// rows are `SearchTokens.folded`; nil finds nothing.
  public var fts5: String? { plan.root.map(plan.expression) }

  /// The query finds nothing, whatever the rows are.
  public var isEmpty: Bool { plan.root == nil }

  public static func == (left: Self, right: Self) -> Bool {
    left.root == right.root && left.columns == right.columns && left.form == right.form
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(root)
    hasher.combine(columns)
    hasher.combine(form)
  }
}
