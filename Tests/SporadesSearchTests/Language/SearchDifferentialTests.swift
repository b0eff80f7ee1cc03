// SPDX-License-Identifier: MIT
import SporadesSearchTesting
import Testing

@testable import SporadesSearch

/// The reader in memory agrees with FTS5, on generated texts and searches.
@Suite struct SearchDifferentialTests {
  private static let columns = ["title", "body"]
  private static let weights = [3.0, 0.5]

  @Test(arguments: SearchForm.allCases, [1, 2, 3, 4]) func findsTheSameRows(
    form: SearchForm, seed: UInt64
  ) throws {
    var samples = SearchSamples(seed: seed, columns: Self.columns)
    let texts = (0..<300).map { _ in [samples.text(), samples.text()] }
    let table = try FullTextTable(columns: 2)
    try table.insert(texts, form)
    let documents = texts.map { row in
      SearchDocument(Array(zip(Self.columns, row)).map { ($0, $1) }, form: form)
    }
    var (foundRows, comparedRanks) = (0, 0)
    for number in 0..<120 {
      let typed = samples.search()
      let query = Search.parse(typed, columns: Self.columns, form: form)
      let rows = try table.rows(query.fts5, weights: Self.weights)
      let mine = documents.indices.filter { query.matches(documents[$0]) }
      #expect(
        rows.map(\.number) == mine, "\(typed) → \(query) → \(query.fts5 ?? "nothing")")
      foundRows += rows.count
      let again = Search.parse(query.description, columns: Self.columns, form: form)
      #expect(again == query, "\(typed) → \(query) → \(again)")
      guard number.isMultiple(of: 4), Self.ranksAreOrderly(query) else { continue }
      comparedRanks += rows.count
      expectRanks(query, rows, documents)
      guard number.isMultiple(of: 20) else { continue }
      let counts = try query.phraseExpressions.map { try table.numbers($0).count }
      #expect(counts == query.statistics(of: documents).found, "\(query)")
    }
    #expect(foundRows > 2_000 && comparedRanks > 500, "\(foundRows), \(comparedRanks)")
  }

  /// FTS5 ranks by the rows it found before in two cases. It counts phrases of a NEAR that does not match while another term
  /// does. And where an inner AND does not match in a row, it forgets phrases of a later row within that AND.
  private static func ranksAreOrderly(_ query: SearchQuery) -> Bool {
    guard let root = query.plan.root else { return true }
    return isOrderly(root, isRoot: true)
  }

  private static func isOrderly(_ node: SearchPlan.Node, isRoot: Bool) -> Bool {
    switch node {
    case .leaf(let leaf): return isRoot || leaf.phrases.count == 1
    case .any(let nodes): return nodes.allSatisfy { isOrderly($0, isRoot: false) }
    case .all(let nodes):
      return nodes.allSatisfy { node in
        guard case .leaf = node else { return isRoot && isOrderly(node, isRoot: false) }
        return true
      }
    case .without(let node, let excluded):
      return isOrderly(node, isRoot: false) && isOrderly(excluded, isRoot: false)
    }
  }

  private func expectRanks(
    _ query: SearchQuery, _ rows: [FullTextTable.Row], _ documents: [SearchDocument]
  ) {
    let statistics = query.statistics(of: documents)
    for row in rows {
      let rank = query.score(documents[row.number], weights: Self.weights, statistics: statistics)
      #expect(
        abs(rank - row.rank) < 1e-9, "\(rank), \(row.rank): \(query) in row \(row.number)")
    }
  }
}
