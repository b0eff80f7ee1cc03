// SPDX-License-Identifier: MIT

/// One step of an order: a key path and a direction.
///
/// Written as text, terms are separated by commas and may carry their direction, after a colon or a
/// space: `"lastname:NO,firstname"` and `"lastname desc, firstname"` are `lastname` descending, then
/// `firstname` ascending.
public struct SortTerm: Hashable, Sendable {
  public var keyPath: [String]
  public var ascending: Bool
  public var options: FetchPredicate.TextOptions

  public init(
    _ keyPath: String, ascending: Bool = true, options: FetchPredicate.TextOptions = []
  ) {
    self.init(keyPath.propertyNames, ascending: ascending, options: options)
  }

  package init(
    _ keyPath: [String], ascending: Bool = true, options: FetchPredicate.TextOptions = []
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.options = options
  }
}

// MARK: - Terms as text

extension SortTerm {
  /// The terms of a text such as `"lastname:NO,firstname"`; `ascending` is the direction of those
  /// that carry none.
  ///
  /// Directions are YES and NO, true and false, 1 and 0, asc and desc, ascending and descending, in
  /// capitals or not. Everything else is refused. A text of spaces alone gives no terms.
  public static func parse(
    _ text: String, ascending: Bool = true
  ) throws(FetchPredicateError) -> [SortTerm] {
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    var terms: [SortTerm] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      terms.append(try term(part, of: text, ascending))
    }
    return terms
  }

  private static func term(
    _ part: Substring, of text: String, _ ascending: Bool
  ) throws(FetchPredicateError) -> SortTerm {
    let halves = part.split(separator: ":", omittingEmptySubsequences: false)
    let words = halves.map { $0.split(whereSeparator: \.isWhitespace) }
    switch (words.count, words[0].count) {
    case (1, 0): throw refusal("A term", of: text, "is empty; take out the comma that is too many")
    case (_, 0): throw refusal("A term", of: text, "names no property before its colon")
    case (1, 1): return SortTerm(String(words[0][0]), ascending: ascending)
    case (1, 2):
      return SortTerm(String(words[0][0]), ascending: try direction(words[0][1], of: text))
    case (2, 1) where words[1].count == 1:
      return SortTerm(String(words[0][0]), ascending: try direction(words[1][0], of: text))
    default:
      throw refusal(
        "The term \"\(part)\"", of: text,
        "is no name with one direction; write it as in \"lastname:NO,firstname\"")
    }
  }

  private static func direction(
    _ word: Substring, of text: String
  ) throws(FetchPredicateError) -> Bool {
    switch word.lowercased() {
    case "yes", "true", "1", "asc", "ascending": return true
    case "no", "false", "0", "desc", "descending": return false
    default:
      throw refusal(
        "The direction \"\(word)\"", of: text,
        "is unknown; write YES or NO, true or false, 1 or 0, asc or desc, ascending or descending")
    }
  }

  private static func refusal(
    _ subject: String, of text: String, _ reason: String
  ) -> FetchPredicateError {
    FetchPredicateError(.syntax, "\(subject) of the sort terms \"\(text)\" \(reason).")
  }
}
