// SPDX-License-Identifier: MIT

extension SortTerm {
  /// Reads the terms of a text such as `"lastname:NO,firstname"`. Terms without a direction take
  /// `ascending`.
  ///
  /// Directions are YES and NO, true and false, 1 and 0, asc and desc, ascending and descending, in
  /// capitals or not. The function refuses everything else. A blank text gives no terms.
  public static func parse(
    _ text: String, ascending: Bool = true
  ) throws(FetchPredicateError) -> [SortTerm] {
    guard !text.allSatisfy(\.isWhitespace) else { return [] }
    var terms: [SortTerm] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      terms.append(try parseTerm(part, of: text, ascending))
    }
    return terms
  }

  private static func parseTerm(
    _ part: Substring, of text: String, _ ascending: Bool
  ) throws(FetchPredicateError) -> SortTerm {
    var part = part
    let nils = takeNils(from: &part)
    var term = try parseDirected(part, of: text, ascending)
    term.nils = nils
    return term
  }

  /// Removes the words `nils first` or `nils last` from the end of a term.
  private static func takeNils(from part: inout Substring) -> NilPlacement? {
    let words = part.split(whereSeparator: \.isWhitespace)
    guard words.count > 2, ["nils", "nulls"].contains(words[words.count - 2].lowercased()) else {
      return nil
    }
    let places: [String: NilPlacement] = ["first": .first, "last": .last]
    guard let place = places[words[words.count - 1].lowercased()] else { return nil }
    part = part[..<words[words.count - 2].startIndex]
    return place
  }

  private static func parseDirected(
    _ part: Substring, of text: String, _ ascending: Bool
  ) throws(FetchPredicateError) -> SortTerm {
    let halves = part.split(separator: ":", omittingEmptySubsequences: false)
    let words = halves.map { $0.split(whereSeparator: \.isWhitespace) }
    switch (words.count, words[0].count) {
    case (1, 0): throw refusal("A term", of: text, "is empty; remove the superfluous comma")
    case (_, 0): throw refusal("A term", of: text, "names no property before its colon")
    case (1, 1): return try makeTerm(words[0][0], of: text, ascending)
    case (1, 2):
      return try makeTerm(words[0][0], of: text, parseDirection(words[0][1], of: text))
    case (2, 1) where words[1].count == 1:
      return try makeTerm(words[0][0], of: text, parseDirection(words[1][0], of: text))
    default:
      throw refusal(
        "The term \"\(part)\"", of: text,
        "is not a name with one direction; write it as in \"lastname:NO,firstname\"")
    }
  }

  /// Makes a term of a name and the options behind it: `lastname[cd]`.
  private static func makeTerm(
    _ word: Substring, of text: String, _ ascending: Bool
  ) throws(FetchPredicateError) -> SortTerm {
    if word == "random()" { return SortTerm(.function(.random, []), ascending: ascending) }
    guard let bracket = word.firstIndex(of: "[") else {
      return SortTerm(String(word), ascending: ascending)
    }
    let letters = word[bracket...].dropFirst().dropLast()
    guard word.last == "]", !letters.isEmpty, bracket > word.startIndex else {
      throw refusal(
        "The term \"\(word)\"", of: text,
        "has incomplete options; write them as in \"lastname[cd]\"")
    }
    let name = String(word[..<bracket])
    if let comparison = TextCollation.Comparison(rawValue: String(letters)) {
      return SortTerm(name, ascending: ascending, collation: TextCollation(comparison))
    }
    var options: FetchPredicate.TextOptions = []
    for letter in letters {
      guard let option = FetchPredicate.TextOptions(letter: letter) else {
        throw refusal(
          "The term \"\(word)\"", of: text,
          "has the option \(letter); the options are c, d and n. For the order of a language write "
            + "[localized], [localizedCaseInsensitive] or [localizedStandard]")
      }
      options.insert(option)
    }
    return SortTerm(name, ascending: ascending, options: options)
  }

  private static func parseDirection(
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
