// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesSQLite
import SporadesStore

/// The function of SQL that searches in texts, where an index does not know them all:
/// `SPORADES_SEARCH(typed, columns, form, text, …)`.
enum SearchFunction {
  static let name = "SPORADES_SEARCH_TEXTS"

  /// The query of the last call. A statement asks the same one for each row.
  final class LastQuery {
    private var key: [SQLValue] = []
    private var query: (SearchQuery, SearchForm, names: [String])?

    func matches(_ values: [SQLValue]) throws -> Bool {
      let (query, form, names) = try understood(Array(values.prefix(3)))
      let texts = zip(names, values.dropFirst(3)).map { (name: $0, text: $1.text ?? "") }
      return query.matches(SearchDocument(texts, form: form))
    }

    private func understood(
      _ key: [SQLValue]
    ) throws -> (SearchQuery, SearchForm, names: [String]) {
      if let query, self.key == key { return query }
      guard let typed = key[0].text, let names = key[1].text,
        let form = key[2].text.flatMap(SearchForm.init)
      else { throw SearchError(.store, "The function \(SearchFunction.name) got no search.") }
      let columns = names.split(separator: " ").map(String.init)
      let query = (Search.parse(typed, columns: columns, form: form), form, names: columns)
      (self.key, self.query) = (key, query)
      return query
    }
  }
}

extension SQLiteStore {
  /// Statements may search in texts from now on.
  func teachSearches() {
    teach(SearchFunction.name) {
      let last = SearchFunction.LastQuery()
      return { try last.matches($0) }
    }
  }
}
