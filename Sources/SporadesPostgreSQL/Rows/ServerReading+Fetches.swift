// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesSQL
import SporadesSelection
package import SporadesStore

// Fetches. The server decides what it decides as memory does; memory decides the rest about the rows that the server finds.
extension ServerReading {
  /// The rows that a fetch asks for, in its order. What the key paths lead to is read for all of them together.
  func subjects(
    _ fetch: StoreFetch, _ compiler: FetchCompiler, reading keyPaths: [[String]] = []
  ) throws(StoreError) -> [RowSubject] {
    let pages = try found(fetch, compiler)
    let related = RelatedRows(plan.model, plan.scope, from: self)
    var chosen = related.subjects(of: pages)
    if !compiler.isExact {
      for keyPath in Self.keyPaths(of: fetch) {
        try related.follow(keyPath, from: fetch.entity, pages)
      }
      chosen = try SubjectSelection(fetch, plan.model).chosen(among: chosen)
    }
    guard !keyPaths.isEmpty else { return chosen }
    let shown = Self.pages(of: chosen.map(\.place), fetch.entity.layout)
    for keyPath in keyPaths { try related.follow(keyPath, from: fetch.entity, shown) }
    return chosen
  }

  /// The rows that the server finds.
  private func found(
    _ fetch: StoreFetch, _ compiler: FetchCompiler
  ) throws(StoreError) -> [RowPage] {
    try ServerRowReader(plan, fetch.entity)
      .pages(
        try connection.run(compiler.rowsOfServer),
        sorting: compiler.leavesOrder)
  }

  func rows(_ fetch: StoreFetch, _ compiler: FetchCompiler) throws(StoreError) -> [RowPage] {
    guard !compiler.isExact else { return try found(fetch, compiler) }
    return Self.pages(of: try subjects(fetch, compiler).map(\.place), fetch.entity.layout)
  }

  func keys(_ fetch: StoreFetch, _ compiler: FetchCompiler) throws(StoreError) -> [RowKey] {
    guard compiler.isExact else { return try subjects(fetch, compiler).map(\.place.key) }
    return try ServerRowReader(plan, fetch.entity)
      .keys(
        try connection.run(compiler.keysOfServer),
        sorting: compiler.leavesOrder)
  }

  private static func keyPaths(of fetch: StoreFetch) -> [[String]] {
    var keyPaths = fetch.sortTerms.compactMap(\.keyPath)
    fetch.predicate?.forEachKeyPath { keyPaths.append($0) }
    return keyPaths
  }
}

extension FetchCompiler {
  var rowsOfServer: SQLStatement { leavesOrder ? rowsInAnyOrder() : rows() }
  var keysOfServer: SQLStatement { leavesOrder ? keysInAnyOrder() : keys() }

  /// The server gives the rows in any order, and memory puts them in that of their keys. The server would follow an index, which
  /// costs it more than memory pays for numbers that mostly are in order.
  var leavesOrder: Bool {
    isExact && fetch.sortTerms.isEmpty && fetch.family.count == 1 && fetch.limit == nil
      && fetch.offset == 0
  }
}

extension ServerConnection {
  /// Runs a statement with its bound values.
  @discardableResult
  package func run(_ statement: SQLStatement) throws(StoreError) -> ServerRows {
    try run(statement.sql, statement.bindings.map(ServerValue.init))
  }

  /// Sends a statement with its bound values in the open pipeline.
  package func send(_ statement: SQLStatement) throws(StoreError) {
    try send(statement.sql, statement.bindings.map(ServerValue.init))
  }
}

extension ServerValue {
  fileprivate init(_ value: SQLValue) {
    self =
      switch value {
      case .null: .null(.text)
      case .integer(let number): .int8(number)
      case .real(let number): .float8(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .bytea(bytes)
      }
  }
}
