// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import TestServer
import Testing

/// A store of an older version of a model that a test fills, and then opens with a newer version.
struct MigratedStore {
  let url: URL
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  var options = SQLiteStoreOptions()
  /// The same objects on a server, which the same migration changes; nil where no server is asked for.
  var twin: ServerTwin?

  init(
    from old: ManagedObjectModel, to new: ManagedObjectModel,
    _ fill: (ManagedObjectContext) throws -> Void
  ) throws {
    self.old = old
    self.new = new
    options.migration.losses = .allowed
    url = URL(fileURLWithPath: Sample.temporaryPath())
    let stack = DataStack(store: try SQLiteStore(url: url, model: old))
    try stack.newContext().performAndWait { context in
      try fill(context)
      try context.save()
    }
    try stack.store.close()
    twin = try TestServer.isAsked ? ServerTwin(old, fill) : nil
  }

  /// The store without its twin, for what only files can have: damage, and code for rows without a plan.
  var alone: MigratedStore {
    var store = self
    store.twin = nil
    return store
  }

  /// Opens the store with the newer version, and checks that the file has no faults.
  func migrate(_ location: SourceLocation = #_sourceLocation) throws -> DataStack {
    let store = try SQLiteStore(url: url, model: new, options: options)
    #expect(try store.integrityProblems() == [], sourceLocation: location)
    try checkNumbers(location)
    try twin?.migrate(to: new, options, like: store, location)
    return DataStack(store: store)
  }

  /// The problems that keep the store from being opened with the newer version.
  func problems() throws -> [MigrationProblem] {
    let image = try PlainStore(url.path).contents()
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(url: url, model: new, options: options).close()
    }
    #expect(try PlainStore(url.path).contents() == image)
    #expect(try forecast().problems.isEmpty == false)
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return []
    }
    try twin?.refuses(to: new, options, for: problems)
    return problems
  }

  func forecast() throws -> MigrationForecast {
    try SQLiteStore.migrationForecast(forStoreAt: url, to: new, options: options)
  }

  func plain() throws -> PlainStore { try PlainStore(url.path) }

  /// The entities have the numbers of a new store.
  private func checkNumbers(_ location: SourceLocation) throws {
    let fresh = URL(fileURLWithPath: Sample.temporaryPath())
    var options = options
    options.migration = MigrationOptions()
    try SQLiteStore(url: fresh, model: new, options: options).close()
    let sql = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY 1"
    #expect(
      try PlainStore(url.path).rows(sql) == PlainStore(fresh.path).rows(sql),
      sourceLocation: location)
    #expect(
      try Self.schema(url.path) == Self.schema(fresh.path), sourceLocation: location)
  }

  /// The tables with their columns in any order, and the texts of all else.
  static func schema(_ path: String) throws -> [String: Set<String>] {
    var schema: [String: Set<String>] = [:]
    for object in try FileSchema(path).objects {
      let isTable =
        object.kind == "table" && object.text.contains("(")
        && !object.text.contains("VIRTUAL")
      schema["\(object.kind) \(object.name)"] = isTable ? columns(object.text) : [object.text]
    }
    return schema
  }

  private static func columns(_ text: String) -> Set<String> {
    let list = text.drop { $0 != "(" }.dropFirst().dropLast()
    return Set(list.split(separator: ",").map { String($0).trimmingCharacters(in: .whitespaces) })
  }
}

extension ManagedObjectContext {
  /// Makes an object with values.
  @discardableResult
  func make(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let object = try insert(entityNamed: entity)
    for (name, value) in values { object[name] = value }
    return object
  }

  /// The values of one property of all objects of an entity, in the order of another.
  func values(_ entity: String, _ name: String, by order: String = "name") throws -> [Value] {
    try all(entity, by: order).map { $0[name] }
  }

  func all(_ entity: String, by order: String = "name") throws -> [ManagedObject] {
    try fetch(FetchRequest(entity, sortedBy: [SortTerm(order)]))
  }
}

extension DataStack {
  /// Looks at the objects in a new context.
  func look(_ body: (ManagedObjectContext) throws -> Void) throws {
    try newContext().performAndWait { context in try body(context) }
  }
}

extension SQLiteStoreOptions {
  /// Options that let a migration remove what the newer version has no place for.
  static var losing: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.losses = .allowed
    return options
  }
}
