// SPDX-License-Identifier: MIT
import SporadesModel

// Searches in the words of FTS5.
extension SearchTable {
  /// The search in the words of the index; nil if it finds nothing.
  func expression(of search: UnderstoodSearch) -> String? {
    let (query, places) = query(of: search)
    guard let expression = query.fts5 else { return nil }
    return places.count == columns.count ? expression : Self.restricted(expression, to: places)
  }

  /// The expressions of the search's phrases, in the columns that may have each.
  func phraseExpressions(of search: UnderstoodSearch) -> [String] {
    let (query, places) = query(of: search)
    guard places.count < columns.count else { return query.phraseExpressions }
    return query.phraseExpressions.map { Self.restricted($0, to: places) }
  }

  private func query(
    of search: UnderstoodSearch
  ) -> (SearchQuery, places: [String]) {
    let (query, columns) = numbered(search)
    return (query, columns.map(Self.column))
  }

  /// The search in the index's columns, and the numbers of those that it looks into.
  package func numbered(_ search: UnderstoodSearch) -> (query: SearchQuery, columns: [Int]) {
    var (names, places) = ([String](), [Int]())
    for (place, column) in columns.enumerated() {
      let isMeant = search.names.contains(column.name) && search.entity.declares(column)
      // Nobody can type a name with a space.
      names.append(isMeant ? column.name : " \(place)")
      if isMeant { places.append(place) }
    }
    return (Search.parse(search.search.typed, columns: names, form: form), places)
  }

  private static func restricted(_ expression: String, to places: [String]) -> String {
    "{\(places.joined(separator: " "))} : (\(expression))"
  }
}

extension EntityShape {
  /// Whether the entity has the text of a column, and not one of the same name in another branch of its tree.
  func declares(_ column: SearchTable.Column) -> Bool {
    switch column.name.propertyNames.first.flatMap({ self[$0] }) {
    case .attribute(let attribute): attribute.entity == column.entity
    case .relationship(let relationship): relationship.entity == column.entity
    case .fetched, nil: false
    }
  }
}
