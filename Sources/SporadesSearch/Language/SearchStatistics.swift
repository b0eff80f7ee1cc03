// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The numbers of all rows by which a search ranks one row.
public struct SearchStatistics: Hashable, Sendable {
  /// The number of rows.
  public var rows: Int
  /// The tokens of all columns of a row, on average.
  public var averageLength: Double
  /// The number of rows that have each phrase, in the order of `SearchQuery.phraseExpressions`.
  public var found: [Int]

  /// Keeps numbers that a program has counted.
  public init(rows: Int, averageLength: Double, found: [Int]) {
    self.rows = rows
    self.averageLength = averageLength
    self.found = found
  }
}

extension SearchQuery {
  /// The weight of a column without a weight, as in FTS5.
  private static let usualWeight = 1.0

  /// The expression for `MATCH` of each phrase, with the columns that may have it, in the order in which FTS5 numbers phrases.
  public var phraseExpressions: [String] {
    plan.phrases.indices.map(plan.expression(ofPhrase:))
  }

  /// Counts the numbers for `score` in the documents of all rows.
  public func statistics(of documents: some Sequence<SearchDocument>) -> SearchStatistics {
    var statistics = SearchStatistics(
      rows: 0, averageLength: 0, found: Array(repeating: 0, count: plan.phrases.count))
    var length = 0
    for document in documents {
      statistics.rows += 1
      length += document.length
      let findings = SearchFindings(self, in: document)
      for phrase in plan.phrases.indices where findings.hasPhrase(phrase) {
        statistics.found[phrase] += 1
      }
    }
    if statistics.rows > 0 { statistics.averageLength = Double(length) / Double(statistics.rows) }
    return statistics
  }

  /// The rank of a document by the function `bm25` of FTS5; a lower rank is better, and a document that does not match has 0.
  ///
  /// The weights belong to the columns of the document, in order. A column without a weight has the weight 1.
  /// A phrase without a number in the statistics does not count.
  public func score(
    _ document: SearchDocument, weights: [Double] = [], statistics: SearchStatistics
  ) -> Double {
    let findings = SearchFindings(self, in: document)
    guard plan.root != nil, findings.root.matches else { return 0 }
    let (k1, b) = (1.2, 0.75)
    let length = Double(document.length) / statistics.averageLength
    var score = 0.0
    for phrase in findings.root.found where phrase < statistics.found.count {
      let frequency = findings.starts[phrase].reduce(0.0) { sum, start in
        sum + (start.column < weights.count ? weights[start.column] : Self.usualWeight)
      }
      guard frequency != 0 else { continue }
      score +=
        statistics.rarity(ofPhrase: phrase)
        * ((frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length)))
    }
    return -score
  }
}

extension SearchStatistics {
  /// The rarity of a phrase, which FTS5 keeps above zero for phrases that most rows have.
  fileprivate func rarity(ofPhrase number: Int) -> Double {
    let hits = Double(found[number])
    let rarity = log((Double(rows) - hits + 0.5) / (hits + 0.5))
    return rarity > 0 ? rarity : 1e-6
  }
}
