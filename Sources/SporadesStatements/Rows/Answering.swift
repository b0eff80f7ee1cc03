// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQL
import SporadesStore

extension SQLQuery {
  /// The answer of the store under a context, in the state that the context's fetches see.
  func answer(in context: ManagedObjectContext) throws -> ResultTable {
    do {
      return try context.readStore(within: timeout) { source, unsaved in
        let check = UnsavedCheck(entities: unsaved, model: context.model)
        let view = try source.view
        guard let coordinator = source.store.coordinator else {
          return try answer(source.store, 0, view, check, context)
        }
        return try answer(coordinator, view, check, context)
      }
    } catch let error as StoreError {
      switch error.underlying {
      case let refusal as StatementRefusal: throw SQLQueryError(refusal)
      case let refusal as SQLQueryError: throw refusal
      case let choice as StoreChoice: throw Self.refusal(choice)
      default: throw error
      }
    }
  }

  private static func refusal(_ choice: StoreChoice) -> SQLQueryError {
    SQLQueryError(
      .notOneStore(choice.stores),
      choice.stores.isEmpty
        ? "No store of the coordinator holds all entities of the statement. A statement reads one store."
        : "\(choice.stores.count) stores of the coordinator hold the entities of the statement. Name one: "
          + "query.storeIdentifier = store.identifier.")
  }

  /// Asks the store that the entities mean.
  private func answer(
    _ coordinator: any CoordinatingStore, _ view: StoreView, _ check: UnsavedCheck,
    _ context: ManagedObjectContext
  ) throws -> ResultTable {
    var entities: Set<Int> = []
    for part in parts {
      switch part {
      case .table(let type, _), .column(let type, _, _), .links(let type, _, _):
        entities.insert(try context.shape(for: type).number)
      case .text, .value, .refused: break
      }
    }
    return try coordinator.answerOfOneStore(
      holding: entities, identifier: storeIdentifier, in: view
    ) { store, number, view in try answer(store, number, view, check, context) }
  }

  private func answer(
    _ store: any PersistentStore, _ number: Int, _ view: StoreView, _ check: UnsavedCheck,
    _ context: ManagedObjectContext
  ) throws -> ResultTable {
    guard let known = store as? any StatementStore else {
      throw SQLQueryError(
        .noSQL,
        "The store \(store.placeText) is a \(type(of: store)), which knows no SQL. Open a SQLiteStore, in a file or in "
          + "memory, or fetch objects.")
    }
    let layout = known.layout
    let writer = try StatementWriter(self, in: context, layout, known.dialect, store: number)
    let answer = try known.answer(writer.statement, in: view) { tables throws(StoreError) in
      try check.check(tables, layout)
    }
    let columns = answer.columns.map {
      ResultColumn($0, property: writer.properties[$0.name], layout, context.model)
    }
    return ResultTable(
      answer, columns: columns, in: context, store: number, identifier: store.identifier)
  }
}

/// Refuses to read tables of entities with unsaved changes, which the database does not know.
private struct UnsavedCheck {
  let entities: Set<Int>
  let model: ManagedObjectModel

  func check(_ tables: Set<String>, _ layout: StoreLayout) throws(StoreError) {
    guard !entities.isEmpty else { return }
    let roots = Set(entities.map { model.shape(numbered: $0).rootNumber })
    var read: Set<Int> = []
    for table in layout.tables where tables.contains(table.name) { read.insert(table.rootEntity) }
    for area in layout.areas where tables.contains(area.tree) { read.insert(area.rootEntity) }
    for (table, join) in zip(layout.joins, model.joins) where tables.contains(table.name) {
      read.insert(model.shape(numbered: join.first.entity).rootNumber)
      read.insert(model.shape(numbered: join.second.entity).rootNumber)
    }
    read.formIntersection(roots)
    guard !read.isEmpty else { return }
    let names = entities.map { model.shape(numbered: $0) }
      .filter { read.contains($0.rootNumber) }.map(\.name).sorted()
    throw StoreError(
      .unsupported, "The statement reads unsaved changes.",
      underlying: SQLQueryError(
        .unsavedChanges(entities: names),
        "The statement reads tables of \(names.joined(separator: ", ")), and the context or a parent has unsaved changes of "
          + "these, which the database does not know. Save them first."))
  }
}
