// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSearch

/// A search in the words of a server's index.
struct WordQuery {
  private let plan: SearchPlan
  /// The numbers of the columns that are searched.
  private let columns: [Int]

  /// The rows that a condition accepts, where the index does not tell exactly which have the words.
  private enum Side {
    case exact
    /// All that have them, and perhaps more.
    case most
    /// None that has them not.
    case least

    var ofExclusion: Side {
      switch self {
      case .exact: .exact
      case .most: .least
      case .least: .most
      }
    }
  }

  init(_ table: SearchTable, _ search: UnderstoodSearch) {
    let (query, columns) = table.numbered(search)
    (plan, self.columns) = (query.plan, columns)
  }

  /// The search finds nothing, whatever the rows are.
  var isEmpty: Bool { plan.root == nil || columns.isEmpty }

  /// An index without cut texts tells exactly which rows the search finds. It knows the order of words and not their distances.
  var isExact: Bool { plan.root.map(isExact) ?? true }

  /// The search asks for the places of words.
  var asksForPlaces: Bool { plan.phrases.contains { $0.tokens.count > 1 || $0.isAtStart } }

  private func isExact(_ node: SearchPlan.Node) -> Bool {
    switch node {
    case .leaf(let leaf): leaf.phrases.count == 1
    case .all(let nodes), .any(let nodes): nodes.allSatisfy(isExact)
    case .without(let node, let excluded): isExact(node) && isExact(excluded)
    }
  }

  // MARK: - Conditions

  /// The condition on the index's rows; it accepts at least those that the search finds, but for rows that lack words.
  func condition(isExact: Bool) -> SQLFragment {
    plan.root.map { sql($0, isExact ? .exact : .most) } ?? Self.never
  }

  /// The condition that a row has one of the search's phrases.
  func condition(ofPhrase number: Int) -> SQLFragment { phrases([number], .exact) }

  /// The numbers of the search's phrases.
  var phrases: Range<Int> { plan.phrases.indices }

  private static let never: SQLFragment = "FALSE"

  private func sql(_ node: SearchPlan.Node, _ side: Side) -> SQLFragment {
    switch node {
    case .leaf(let leaf):
      leaf.phrases.count > 1 && side == .least ? Self.never : phrases(Array(leaf.phrases), side)
    case .all(let nodes): "(\(nodes.map { sql($0, side) }.joined(by: " AND ")))"
    case .any(let nodes): "(\(nodes.map { sql($0, side) }.joined(by: " OR ")))"
    case .without(let node, let excluded):
      "(\(sql(node, side)) AND NOT \(sql(excluded, side.ofExclusion)))"
    }
  }

  /// The condition that one text has all of the phrases.
  private func phrases(_ numbers: [Int], _ side: Side) -> SQLFragment {
    let phrases = numbers.map { plan.phrases[$0] }
    guard let first = phrases.first,
      phrases.allSatisfy({ $0.tokens.allSatisfy { $0.utf8.count <= TextVector.longestWord } })
    else { return Self.never }
    let places = first.columns.map { $0.filter(columns.contains) } ?? columns
    guard !places.isEmpty else { return Self.never }
    let strict = Self.matches(phrases.map { Self.query($0, joined: " <-> ") }, in: places)
    let asks = phrases.contains { $0.tokens.count > 1 || $0.isAtStart }
    guard asks, side != .exact else { return strict }
    // A text with too many words has some of them at places where they are not.
    guard side == .most else { return "(cut = 0 AND \(strict))" }
    let loose = Self.matches(phrases.map { Self.query($0, joined: " & ") }, in: places)
    return "(\(strict) OR cut > 0 AND \(loose))"
  }

  private static func matches(_ queries: [String], in places: [Int]) -> SQLFragment {
    let query = queries.map { "(\($0))" }.joined(separator: " & ")
    let parts = places.map { place -> SQLFragment in
      "\(sql: ServerIndexTable.column(place)) @@ CAST(\(.text(query)) AS tsquery)"
    }
    return "(\(parts.joined(by: " OR ")))"
  }

  /// A phrase in the server's words. All tokens stand in quotes, and have no quotes in them.
  private static func query(_ phrase: SearchPlan.Phrase, joined operation: String) -> String {
    var words = phrase.tokens.map { "'\($0)'" }
    if phrase.isPrefix, let last = words.popLast() { words.append("\(last):*") }
    if phrase.isAtStart { words.insert("'\(TextVector.mark)'", at: 0) }
    return words.joined(separator: operation)
  }
}
