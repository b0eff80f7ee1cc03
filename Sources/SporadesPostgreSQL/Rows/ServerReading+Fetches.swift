// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSelection
import SporadesStore

// Fetches. The server decides what it decides as memory does; memory decides the rest about the rows that the server finds.
extension ServerReading {
  /// The rows that a fetch asks for, in its order. What the key paths lead to is read for all of them together.
  func subjects(
    _ fetch: StoreFetch, reading keyPaths: [[String]] = []
  ) throws(StoreError) -> [RowSubject] {
    let compiler = try plan.compiler(fetch)
    let pages = try ServerRowReader(plan, fetch.entity).pages(try connection.run(compiler.rows()))
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

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    let compiler = try plan.compiler(fetch)
    guard compiler.isExact else {
      return Self.pages(of: try subjects(fetch).map(\.place), fetch.entity.layout)
    }
    return try ServerRowReader(plan, fetch.entity).pages(try connection.run(compiler.rows()))
  }

  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] {
    let compiler = try plan.compiler(fetch)
    guard compiler.isExact else { return try subjects(fetch).map(\.place.key) }
    let answer = try connection.run(compiler.keys())
    let reader = ServerRowReader(plan, fetch.entity)
    var keys: [RowKey] = []
    keys.reserveCapacity(answer.count)
    for row in 0..<answer.count { keys.append(try reader.key(answer, row, at: 0)) }
    return keys
  }

  /// The number of rows that a fetch asks for; nil if the server does not decide which these are.
  func count(_ fetch: StoreFetch) throws(StoreError) -> Int64? {
    let compiler = try plan.compiler(fetch)
    return compiler.isExact ? try connection.run(compiler.count()).integer(0, 0) : nil
  }

  private static func keyPaths(of fetch: StoreFetch) -> [[String]] {
    var keyPaths = fetch.sortTerms.compactMap(\.keyPath)
    fetch.predicate?.forEachKeyPath { keyPaths.append($0) }
    return keyPaths
  }
}

extension ServerConnection {
  /// Runs a statement with its bound values.
  func run(_ statement: SQLStatement) throws(StoreError) -> ServerRows {
    try run(statement.sql, statement.bindings.map(ServerValue.init))
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
