// SPDX-License-Identifier: MIT

/// A place where a document has a phrase of a query.
public struct SearchOccurrence: Hashable, Sendable {
  /// The number of the phrase, in the order of `SearchQuery.phraseExpressions`.
  public let phrase: Int
  /// The number of the document's column.
  public let column: Int
  /// The tokens of the phrase among those of the column.
  public let tokens: Range<Int>
}

extension SearchQuery {
  /// The places for which a document matches, phrase by phrase; none if it does not match.
  ///
  /// Excluded phrases and alternatives that do not match have no places, and a NEAR has only those that are near each other.
  public func occurrences(in document: SearchDocument) -> [SearchOccurrence] {
    occurrences(SearchFindings(self, in: document))
  }

  func occurrences(_ findings: SearchFindings) -> [SearchOccurrence] {
    findings.root.found.flatMap { phrase in
      let length = plan.phrases[phrase].tokens.count
      return findings.starts[phrase].map { start in
        SearchOccurrence(
          phrase: phrase, column: start.column, tokens: start.offset..<start.offset + length)
      }
    }
  }

  /// The parts of a text to mark, in order, where the text has phrases of the query.
  ///
  /// The text may be one of several columns that match together, so each phrase is marked whether the text matches or not.
  /// Phrases of other columns than the text's are not marked; without a column the text may be each of them.
  public func ranges(in text: String, column: String? = nil) -> [Range<String.Index>] {
    SearchMarks(self, text, column: column).ranges
  }
}

/// The places of a query's phrases in one text.
struct SearchMarks {
  let tokens: [SearchTokens.Token]
  let occurrences: [SearchOccurrence]
  /// The parts of the text that the occurrences cover, in order and apart from each other.
  let ranges: [Range<String.Index>]

  init(_ query: SearchQuery, _ text: String, column: String?) {
    let (tokens, ends) = SearchTokens.tokensAndEnds(of: text, form: query.form)
    let findings = SearchFindings(
      query, inPart: SearchDocument(tokens, column: column ?? ""), isNamed: column != nil)
    self.tokens = tokens
    occurrences = query.occurrences(findings)
    let ranges = occurrences.map { occurrence in
      let start = tokens[occurrence.tokens.lowerBound].range.lowerBound
      let last = occurrence.tokens.upperBound - 1
      let phrase = query.plan.phrases[occurrence.phrase]
      guard query.form == .parts, phrase.isPrefix, let part = phrase.tokens.last else {
        return start..<tokens[last].range.upperBound
      }
      // Only the beginning of the last part belongs to the phrase.
      return start..<ends[last + part.unicodeScalars.count - 1]
    }
    self.ranges = Self.merged(ranges)
  }

  private static func merged(_ ranges: [Range<String.Index>]) -> [Range<String.Index>] {
    var merged: [Range<String.Index>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
