// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Makes a listing of the clauses of a query.
struct QueryReader {
  private let query: QueryText
  private let given: GivenStore
  private let shape: EntityShape

  init(_ query: QueryText, _ given: GivenStore) throws {
    self.query = query
    self.given = given
    shape = try given.entity(named: query.entity.text)
  }

  func listing(_ arguments: GivenArguments) throws -> Listing {
    let groups = try expressions(of: .groups)
    let columns = try columns(groups)
    let conditions = try arguments.bound(
      [try predicate(of: .condition), try predicate(of: .having)], in: shape)
    try check(conditions[0])
    let terms = try sortTerms(
      Dictionary(columns.map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first }))
    var listing = Listing(columns, StoreFetch(shape, where: conditions[0]), given)
    listing.question.groups = groups.map(\.expression)
    let (limit, offset) = (try count(.limit), try count(.offset) ?? 0)
    guard !listing.question.isOfGroups(given.model) else {
      listing.question.having = conditions[1]
      (listing.question.sortTerms, listing.question.limit, listing.question.offset) = (
        terms, limit, offset
      )
      return listing
    }
    (
      listing.question.fetch.sortTerms, listing.question.fetch.limit, listing.question.fetch.offset
    ) =
      (terms, limit, offset)
    if let having = query[.having] {
      throw query.mistake("having needs groups; add grouped by, or write where.", at: having.start)
    }
    return listing
  }

  private func columns(_ groups: [ExpressionDescription]) throws -> [ExpressionDescription] {
    let columns = try expressions(of: .columns)
    if query.counts {
      guard columns.isEmpty else {
        throw query.mistake("count shows a number; leave out showing.", at: query.entity.start)
      }
      return groups + [ExpressionDescription("count", .objectCount)]
    }
    if !columns.isEmpty { return columns }
    return groups.isEmpty
      ? shape.usualColumns : groups + [ExpressionDescription("count()", .objectCount)]
  }

  /// Refuses a condition that does not fit the entity, at its place in the query.
  private func check(_ condition: FetchPredicate?) throws {
    guard let condition, let part = query[.condition] else { return }
    try query.reading(part, isKnown: isKnown) { _ throws(FetchPredicateError) in
      try condition.validate(in: shape, given.model)
    }
  }

  /// Whether a key path of the entity has the name, or the name is no key path.
  private func isKnown(_ path: String) -> Bool {
    // `try?`: a word that is no expression is no key path either.
    guard (try? FetchExpression(format: path)) == .keyPath(path.propertyNames) else { return true }
    // `try?`, because the question is whether it throws.
    return (try? KeyPathShape(path.propertyNames, in: shape, given.model)) != nil
  }

  private func predicate(of clause: QueryText.Clause) throws -> FetchPredicate? {
    guard let part = query[clause] else { return nil }
    return try query.reading(part) { text throws(FetchPredicateError) in
      try FetchPredicate(format: clause == .having ? Self.spelled(text) : text)
    }
  }

  private func expressions(of clause: QueryText.Clause) throws -> [ExpressionDescription] {
    try (query[clause]?.parts ?? []).map { part in
      let (text, name) = Self.named(part.text)
      return try query.reading(part, isKnown: isKnown) { _ throws(FetchPredicateError) in
        let expression = try FetchExpression(format: Self.spelled(text))
        try check(expression)
        return ExpressionDescription(name ?? text, expression)
      }
    }
  }

  /// The terms of the order. A term may be the name of a column.
  private func sortTerms(_ columns: [String: FetchExpression]) throws -> [SortTerm] {
    try (query[.order]?.parts ?? []).map { part in
      let words = part.text.split(whereSeparator: \.isWhitespace)
      let direction = words.count > 1 ? Self.directions[words[words.count - 1].lowercased()] : nil
      let text =
        direction == nil ? part.text : part.text[..<words[words.count - 1].startIndex].trimmed
      if let column = columns[text] { return SortTerm(column, ascending: direction ?? true) }
      return try query.reading(part) { _ throws(FetchPredicateError) in
        // `try?`: a text that is no plain term is an expression, which tells its own mistake.
        if let terms = try? SortTerm.parse(text, ascending: direction ?? true), terms.count == 1,
          !text.contains("(")
        {
          return terms[0]
        }
        return SortTerm(
          try FetchExpression(format: Self.spelled(text)), ascending: direction ?? true)
      }
    }
  }

  /// Refuses a value that the entity does not have.
  private func check(_ expression: FetchExpression) throws(FetchPredicateError) {
    var question = TableQuestion(StoreFetch(shape), [expression])
    try question.check(given.model)
  }

  private static let directions = [
    "asc": true, "ascending": true, "desc": false, "descending": false,
  ]

  private func count(_ clause: QueryText.Clause) throws -> Int? {
    guard let part = query[clause] else { return nil }
    guard let count = Int(part.text), count >= 0 else {
      throw query.mistake(
        "\(clause.rawValue) needs a whole number of 0 or more, and \(part.text.shownAsWord) is none.",
        at: part.start)
    }
    return count
  }

  /// The text of a column, and the name behind `as`.
  private static func named(_ text: String) -> (text: String, name: String?) {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 2, words[words.count - 2].lowercased() == "as" else { return (text, nil) }
    return (text[..<words[words.count - 2].startIndex].trimmed, String(words[words.count - 1]))
  }

  /// The functions of groups as the predicate language spells them: `sum(age)` is `sum:(age)`.
  static func spelled(_ text: String) -> String {
    var spelled = ""
    var word = ""
    var nesting = TextNesting()
    for scalar in text.unicodeScalars {
      if scalar == "(", nesting.isOutsideQuotes, let function = functions[word.lowercased()] {
        spelled.unicodeScalars.removeLast(word.unicodeScalars.count)
        spelled += function + ":("
      } else {
        spelled.unicodeScalars.append(scalar)
      }
      nesting.read(scalar)
      let isLetter =
        scalar.properties.isAlphabetic || scalar == "_" || scalar == "." || scalar == "@"
      word = isLetter ? word + String(scalar) : ""
    }
    return spelled.replacing("count:()", with: "count:(SELF)")
  }

  private static let functions = [
    "count": "count", "sum": "sum", "average": "average", "avg": "average", "min": "min",
    "max": "max",
  ]
}
