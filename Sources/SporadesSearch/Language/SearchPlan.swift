// SPDX-License-Identifier: MIT

/// The conditions of a query for single phrases and the columns of each, from which its readers work.
///
/// The expression for FTS5 and the reader in memory come from the same plan, so that they mean the same.
package struct SearchPlan: Sendable {
  /// A condition of the plan.
  package indirect enum Node: Sendable {
    case leaf(Leaf)
    case all([Node])
    case any([Node])
    case without(Node, Node)
  }

  /// One phrase, or the phrases of a NEAR.
  package struct Leaf: Sendable {
    /// The places of the phrases in the plan's list.
    package var phrases: Range<Int>
    /// The most tokens between phrases.
    var distance: Int
  }

  /// Tokens that follow each other, and the columns that may have them.
  package struct Phrase: Sendable {
    package var tokens: [String]
    /// The last token is the beginning of a token.
    package var isPrefix: Bool
    package var isAtStart: Bool
    /// The numbers of the columns that may have the phrase, in order; nil for all.
    package var columns: [Int]?
  }

  /// Nil finds nothing.
  package private(set) var root: Node?
  /// The phrases in the order in which FTS5 numbers them.
  package private(set) var phrases: [Phrase] = []
  /// The different tokens of the phrases.
  let slots: SearchSlots

  init(_ root: SearchTerm?, columns: [String], form: SearchForm) {
    var builder = Builder(names: SearchColumnNames(columns), form: form)
    self.root = root.flatMap { builder.node($0, nil) }
    phrases = builder.phrases
    slots = SearchSlots(builder.phrases)
  }

  /// The phrases that rows should have, without those that exclude rows.
  var wanted: [Leaf] { root.map(Self.wanted) ?? [] }

  private static func wanted(_ node: Node) -> [Leaf] {
    switch node {
    case .leaf(let leaf): [leaf]
    case .all(let nodes), .any(let nodes): nodes.flatMap(wanted)
    case .without(let node, _): wanted(node)
    }
  }

  /// Makes the plan of a term and numbers its phrases.
  private struct Builder {
    let names: SearchColumnNames
    let form: SearchForm
    var phrases: [Phrase] = []

    /// Nil finds nothing.
    mutating func node(_ term: SearchTerm, _ columns: Set<Int>?) -> Node? {
      switch term {
      case .phrase(let phrase): return leaf([phrase], 0, columns)
      case .near(let near, let distance): return leaf(near, distance, columns)
      case .in(let inner, let term):
        let inner = names.numbers(inner)
        return narrowed(term, columns.map { $0.intersection(inner) } ?? inner)
      case .outside(let inner, let term):
        let outer = columns ?? Set(names.names.indices)
        return narrowed(term, outer.subtracting(names.numbers(inner)))
      case .all(let terms): return all(terms, columns)
      case .any(let terms):
        let nodes = terms.compactMap { node($0, columns) }
        return nodes.count > 1 ? .any(nodes) : nodes.first
      case .without(let term, let excluded):
        guard let found = node(term, columns) else { return nil }
        guard let unwanted = node(excluded, columns) else { return found }
        return .without(found, unwanted)
      }
    }

    private mutating func narrowed(_ term: SearchTerm, _ columns: Set<Int>) -> Node? {
      columns.isEmpty ? nil : node(term, columns)
    }

    private mutating func all(_ terms: [SearchTerm], _ columns: Set<Int>?) -> Node? {
      let mark = phrases.count
      var nodes: [Node] = []
      for term in terms {
        guard let node = node(term, columns) else {
          // The phrases before the term that finds nothing are in no expression.
          phrases.removeSubrange(mark...)
          return nil
        }
        nodes.append(node)
      }
      return nodes.count > 1 ? .all(nodes) : nodes.first
    }

    private mutating func leaf(
      _ near: [SearchPhrase], _ distance: Int, _ columns: Set<Int>?
    ) -> Node {
      let first = phrases.count
      let isEverywhere = columns.map { $0.count == names.names.count } ?? true
      for phrase in near {
        let (tokens, isPrefix) = phrase.tokens(form)
        phrases.append(
          Phrase(
            tokens: tokens, isPrefix: isPrefix, isAtStart: phrase.isAtStart,
            columns: isEverywhere ? nil : columns?.sorted()))
      }
      return .leaf(Leaf(phrases: first..<phrases.count, distance: distance))
    }
  }
}

// MARK: - FTS5

extension SearchPlan {
  /// The node in the language of FTS5. All tokens stand in quotes and have no quotes in them.
  func expression(_ node: Node) -> String {
    switch node {
    case .leaf(let leaf): return expression(leaf)
    case .all(let nodes): return nodes.map(operand).joined(separator: " AND ")
    case .any(let nodes): return nodes.map(operand).joined(separator: " OR ")
    case .without(let node, let excluded):
      return operand(node) + " NOT " + operand(excluded)
    }
  }

  private func operand(_ node: Node) -> String {
    if case .leaf = node { expression(node) } else { "(" + expression(node) + ")" }
  }

  private func expression(_ leaf: Leaf) -> String {
    let texts = phrases[leaf.phrases].map(expression)
    let filter = filter(phrases[leaf.phrases.lowerBound].columns)
    if texts.count == 1 { return filter + texts[0] }
    return filter + "NEAR(" + texts.joined(separator: " ") + ", \(leaf.distance))"
  }

  private func filter(_ columns: [Int]?) -> String {
    guard let columns else { return "" }
    return "{" + columns.map { "c\($0)" }.joined(separator: " ") + "} : "
  }

  private func expression(_ phrase: Phrase) -> String {
    (phrase.isAtStart ? "^ " : "") + "\"" + phrase.tokens.joined(separator: " ") + "\""
      + (phrase.isPrefix ? " *" : "")
  }

  /// The expression that finds the rows with one phrase.
  func expression(ofPhrase number: Int) -> String {
    filter(phrases[number].columns) + expression(phrases[number])
  }
}
