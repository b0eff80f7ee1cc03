// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
package import SporadesSQLite
package import SporadesStore

/// The meaning of a search: words are in the texts of an object.
///
/// The first operand leads to the object, and the others to its texts. A store with an index looks the object's key up there.
/// Everywhere else the texts themselves are searched.
package struct SearchMeaning: EntityMeaning, SQLMeaning, StoreBoundMeaning, PreselectedMeaning {
  let search: Search
  /// The names of the texts that are searched; nil for all that the model marks.
  let names: [String]?
  /// The search as it is understood for the texts; nil before the model is known.
  package private(set) var understood: UnderstoodSearch?
  fileprivate(set) var place: Place?

  /// Where a store finds the words.
  enum Place: Hashable, Sendable {
    /// In an index, by its expression; nil for a search that finds nothing.
    case index(String, expression: String?)
    /// In the texts, because the index does not know all of them.
    case texts
    /// On a server, among the keys that a statement selects.
    case server(keys: SQLFragment, isExact: Bool)
  }

  init(_ search: Search, in names: [String]?) {
    self.search = search
    self.names = names
  }

  package var name: String { "SEARCH" }

  package static func == (left: Self, right: Self) -> Bool {
    left.search == right.search && left.names == right.names && left.place == right.place
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(search)
    hasher.combine(names)
    hasher.combine(place)
  }

  // MARK: - In memory

  package func isTrue(of values: [Value], for object: Any?) throws(FetchPredicateError) -> Bool {
    guard let understood else { throw unfinished }
    return understood.query.matches(document(of: values, understood))
  }

  func document(of values: [Value], _ understood: UnderstoodSearch) -> SearchDocument {
    let texts = zip(understood.names, values.dropFirst()).map { name, value in
      (name: name, text: value.text)
    }
    return SearchDocument(texts, form: understood.form)
  }

  private var unfinished: FetchPredicateError {
    FetchPredicateError(
      .unsupported,
      "The search \(search.typed) was asked without a model. Fetch with it, or use evaluate(with:)."
    )
  }

  // MARK: - With a model

  package func completed(
    _ condition: OpenCondition, for entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) -> OpenCondition {
    guard let start = condition.operands.first, condition.operands.count == 1 else {
      return condition
    }
    let columns: [SearchColumn]
    do { columns = try SearchColumn.all(of: entity, model) } catch {
      throw FetchPredicateError(.unsupported, error.description)
    }
    let chosen = try self.columns(among: columns, of: entity)
    var meaning = self
    meaning.understood = UnderstoodSearch(search, chosen.map(\.name), chosen[0].form, entity)
    return OpenCondition(
      meaning, [start] + chosen.map { Self.operand($0.name.propertyNames, from: start) })
  }

  private func columns(
    among columns: [SearchColumn], of entity: EntityShape
  ) throws(FetchPredicateError) -> [SearchColumn] {
    let chosen = names.map { names in columns.filter { names.contains($0.name) } } ?? columns
    guard !chosen.isEmpty, chosen.count == names?.count ?? chosen.count else {
      let missing = names?.first { name in !columns.contains { $0.name == name } }
      let error = missing.map { SearchError.notSearchable(entity, $0) } ?? .notSearchable(entity)
      throw FetchPredicateError(.unsupported, error.description)
    }
    return chosen
  }

  private static func operand(_ names: [String], from start: FetchExpression) -> FetchExpression {
    switch start {
    case .keyPath(let path): .keyPath(path + names)
    case .variable(let variable): .keyPath(["$\(variable)"] + names)
    default: .keyPath(names)
    }
  }

  // MARK: - In a store

  package func bound(to store: SQLiteStore, in view: StoreView) throws(StoreError) -> SearchMeaning
  {
    guard let understood else { return self }
    let index = SearchIndex.of(store)
    let table = try index.tables.table(of: understood.entity)
    guard place != .texts, try index.isReady(table, in: store, view, committingAccepted: false)
    else {
      store.teachSearches()
      return inTexts
    }
    var bound = self
    bound.place = .index(table.index, expression: table.expression(of: understood))
    return bound
  }

  /// The search without an index.
  var inTexts: SearchMeaning {
    var meaning = self
    meaning.place = .texts
    return meaning
  }

  package func condition(on operands: [SQLFragment]) throws(FetchPredicateError) -> SQLFragment {
    guard let understood, let place else { throw unfinished }
    switch place {
    case .server(let keys, _): return "\(operands[0]) IN (\(keys))"
    case .index(_, expression: nil): return "1=0"
    case .index(let index, let expression?):
      return
        "\(operands[0]) IN (SELECT rowid FROM \(name: index) WHERE \(name: index) MATCH \(.text(expression)))"
    case .texts:
      let names = understood.names.joined(separator: " ")
      let texts = operands.dropFirst().map { ", \($0)" as SQLFragment }.joined(by: "")
      return
        "\(sql: SearchFunction.name)(\(.text(search.typed)), \(.text(names)), \(.text(understood.form.rawValue))\(texts))"
    }
  }
}

extension SearchMeaning {
  /// The meaning on a server whose index finds the keys that a statement selects: those of all rows with the words, and of no
  /// others if it is exact.
  package func placed(amongKeys keys: SQLFragment, isExact: Bool) -> SearchMeaning {
    var placed = self
    placed.place = .server(keys: keys, isExact: isExact)
    return placed
  }

  package func preselection(on key: SQLFragment) -> Preselection? {
    guard case .server(let keys, let isExact) = place else { return nil }
    return Preselection("\(key) IN (\(keys))", isExact: isExact)
  }
}

extension Value {
  /// The text; nothing has no words.
  var text: String { if case .string(let text) = self { text } else { "" } }
}
