// SPDX-License-Identifier: MIT
import SporadesModel

/// The clauses of a query: `User where age > 18 sorted by name limit 10`.
///
/// A clause begins with its word, outside of quotes and parentheses, and ends before the next one. Directly behind the word of
/// a clause stands its content, whatever it is: `where limit > 3` is a condition on a property named `limit`.
struct QueryText {
  enum Clause: String, CaseIterable {
    case condition = "where"
    case columns = "showing"
    case groups = "grouped by"
    case having
    case order = "sorted by"
    case limit
    case offset

    /// The words of the clause, in small letters.
    var words: [String] { rawValue.split(separator: " ").map(String.init) }
  }

  /// The whole query.
  let text: String
  let entity: ClauseText
  /// The query asks for a number of objects: `count User where age > 18`.
  let counts: Bool
  private var clauses: [Clause: ClauseText] = [:]

  subscript(clause: Clause) -> ClauseText? { clauses[clause] }

  init(_ text: String) throws {
    self.text = text
    let words = Self.words(of: text)
    guard var first = words.first else {
      throw CommandError.asked("The query is empty. Write one as in: User where age > 18")
    }
    counts = first.text.lowercased() == "count" && words.count > 1
    if counts { first = words[1] }
    entity = ClauseText(first.text, start: first.start)
    try takeClauses(words.dropFirst(counts ? 2 : 1), from: text)
  }

  private mutating func takeClauses(_ words: ArraySlice<ClauseText>, from text: String) throws {
    var words = words
    var open: (clause: Clause, start: Int)?
    let scalars = Array(text.unicodeScalars)
    func content(_ start: Int, _ end: Int) -> ClauseText {
      var part = String.UnicodeScalarView()
      part.append(contentsOf: scalars[start..<end])
      return ClauseText(String(part), start: start)
    }
    while let word = words.first {
      let clause = Self.clause(at: words)
      if open == nil, clause == nil { throw unknownClause(word) }
      guard let clause else {
        words.removeFirst()
        continue
      }
      if let open { clauses[open.clause] = content(open.start, word.start) }
      guard clauses[clause] == nil else {
        throw mistake("There are two clauses \(clause.rawValue).", at: word.start)
      }
      let last = words[words.startIndex + clause.words.count - 1]
      let start = last.start + last.text.unicodeScalars.count
      words = words.dropFirst(clause.words.count)
      guard words.first != nil else {
        throw mistake("Nothing follows \(clause.rawValue).", at: scalars.count)
      }
      // The first word of a clause is its content, whatever it is.
      words.removeFirst()
      open = (clause, start)
      clauses[clause] = content(start, scalars.count)
    }
  }

  /// The clause whose words come next.
  private static func clause(at words: ArraySlice<ClauseText>) -> Clause? {
    Clause.allCases.first { clause in
      words.prefix(clause.words.count).map { $0.text.lowercased() } == clause.words
    }
  }

  /// The words outside of quotes and parentheses. A text in quotes belongs to the word that it touches.
  private static func words(of text: String) -> [ClauseText] {
    var words: [ClauseText] = []
    var word = ""
    var start = 0
    var nesting = TextNesting()
    for (place, scalar) in text.unicodeScalars.enumerated() {
      let isGap = nesting.isOutside && scalar.properties.isWhitespace
      nesting.read(scalar)
      if !isGap {
        if word.isEmpty { start = place }
        word.unicodeScalars.append(scalar)
      } else if !word.isEmpty {
        words.append(ClauseText(word, start: start))
        word = ""
      }
    }
    return word.isEmpty ? words : words + [ClauseText(word, start: start)]
  }

  // MARK: - Mistakes

  private func unknownClause(_ word: ClauseText) -> CommandError {
    let first = Clause.allCases.map { $0.words[0] }
    let near = NearNames(word.text, among: first).nearest
      .flatMap { near in Clause.allCases.first { $0.words[0] == near } }
    let hint =
      near.map { "The nearest clause is \($0.rawValue)." }
      ?? "The clauses are \(Clause.allCases.map(\.rawValue).joined(separator: ", "))."
    return mistake("\(word.text.shownAsWord) begins no clause. \(hint)", at: word.start)
  }

  /// A sentence with the query and a mark below the place.
  func mistake(_ sentence: String, at start: Int) -> CommandError {
    let error = FetchPredicateError(.syntax, sentence, position: start).showing(text)
    return .asked("The query, at column \(start + 1):\n\(error.excerpt ?? text)\n\(sentence)")
  }

  /// Reads a part of the query, and shows the place of a mistake in the whole. A mistake without a place is that of the
  /// first name in the part that `isKnown` does not know.
  func reading<Output>(
    _ part: ClauseText, isKnown: (String) -> Bool = { _ in true },
    _ body: (String) throws(FetchPredicateError) -> Output
  ) throws(CommandError) -> Output {
    do throws(FetchPredicateError) { return try body(part.text) } catch {
      let place =
        error.position ?? part.keyPaths.first { !isKnown($0.text) }.map { $0.start - part.start }
      throw mistake(error.detail, at: part.start + (place ?? 0))
    }
  }
}
