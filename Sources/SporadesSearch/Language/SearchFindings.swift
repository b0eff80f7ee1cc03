// SPDX-License-Identifier: MIT

/// The places of a query's phrases in one document, with the meaning of FTS5.
struct SearchFindings {
  /// The meaning of a part of a query for the document.
  struct Part {
    var matches: Bool
    /// The phrases for which the part matches. FTS5 counts these for its rank.
    var found: [Int] = []
  }

  private let plan: SearchPlan
  private let slots: [[SearchPosition]]
  /// The columns of the document that belong to the query's columns.
  private let columns: Columns
  /// The beginnings of each phrase; those of a NEAR only where it matches.
  private(set) var starts: [[SearchPosition]]
  private(set) var root = Part(matches: false)

  /// The way from the numbers of a query's columns to those of a document.
  private enum Columns {
    case same
    case numbered([Int?])
    /// Each column of the document may be each column of the query.
    case unknown

    init(_ query: SearchQuery, _ document: SearchDocument) {
      let names = document.names
      self =
        query.columns == names
        ? .same : .numbered(query.columns.map { names.firstIndex(of: $0) })
    }

    func numbers(_ columns: [Int]?) -> Set<Int>? {
      switch self {
      case .same: columns.map { Set($0) }
      case .numbered(let numbers): columns.map { Set($0.compactMap { numbers[$0] }) }
      case .unknown: nil
      }
    }
  }

  /// Finds the query in a document.
  init(_ query: SearchQuery, in document: SearchDocument) {
    plan = query.plan
    slots = plan.slots.positions(in: document)
    columns = Columns(query, document)
    starts = Array(repeating: [], count: plan.phrases.count)
    if let node = plan.root { root = part(node) }
  }

  /// Finds the query's single phrases in one text, whose other columns are not there. Without a name the text may be each column.
  init(_ query: SearchQuery, inPart document: SearchDocument, isNamed: Bool) {
    plan = query.plan
    slots = plan.slots.positions(in: document)
    columns = isNamed ? Columns(query, document) : .unknown
    starts = Array(repeating: [], count: plan.phrases.count)
    let parts = plan.wanted.map { part($0) }
    root = Part(matches: parts.contains(where: \.matches), found: parts.flatMap(\.found))
  }

  private mutating func part(_ node: SearchPlan.Node) -> Part {
    switch node {
    case .leaf(let leaf): return part(leaf)
    case .all(let nodes):
      let parts = nodes.map { part($0) }
      guard parts.allSatisfy(\.matches) else { return Part(matches: false) }
      return Part(matches: true, found: parts.flatMap(\.found))
    case .any(let nodes):
      let parts = nodes.map { part($0) }.filter(\.matches)
      return Part(matches: !parts.isEmpty, found: parts.flatMap(\.found))
    case .without(let node, let excluded):
      let part = part(node)
      return part.matches && self.part(excluded).matches ? Part(matches: false) : part
    }
  }

  // MARK: - Phrases

  private mutating func part(_ leaf: SearchPlan.Leaf) -> Part {
    for phrase in leaf.phrases {
      starts[phrase] = starts(of: phrase)
      guard !starts[phrase].isEmpty else { return Part(matches: false) }
    }
    if leaf.phrases.count > 1 {
      let near = SearchNear(
        starts: leaf.phrases.map { starts[$0] },
        lengths: leaf.phrases.map { plan.phrases[$0].tokens.count }, distance: leaf.distance)
      for (phrase, kept) in zip(leaf.phrases, near.kept()) { starts[phrase] = kept }
    }
    let matches = leaf.phrases.allSatisfy { !starts[$0].isEmpty }
    return Part(matches: matches, found: matches ? Array(leaf.phrases) : [])
  }

  /// The document has the phrase in one of its columns, near others or not.
  func hasPhrase(_ phrase: Int) -> Bool { !starts(of: phrase).isEmpty }

  private func starts(of phrase: Int) -> [SearchPosition] {
    let tokens = plan.slots.phrases[phrase]
    guard let first = tokens.first else { return [] }
    var found = slots[first]
    if let allowed = columns.numbers(plan.phrases[phrase].columns) {
      found.removeAll { !allowed.contains($0.column) }
    }
    if plan.phrases[phrase].isAtStart { found.removeAll { $0.offset != 0 } }
    for (distance, token) in tokens.enumerated().dropFirst() {
      guard !found.isEmpty else { return [] }
      found = Self.followed(found, by: slots[token], at: distance)
    }
    return found
  }

  /// The positions that have another position at a distance behind them.
  private static func followed(
    _ found: [SearchPosition], by others: [SearchPosition], at distance: Int
  ) -> [SearchPosition] {
    var next = 0
    return found.filter { position in
      let wanted = position.raw + distance
      while next < others.count, others[next].raw < wanted { next += 1 }
      return next < others.count && others[next].raw == wanted
    }
  }
}

extension SearchQuery {
  /// The document fulfils the query.
  public func matches(_ document: SearchDocument) -> Bool {
    plan.root != nil && SearchFindings(self, in: document).root.matches
  }
}
