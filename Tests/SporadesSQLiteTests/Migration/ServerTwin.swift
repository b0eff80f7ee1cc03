// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesPostgreSQL
import SporadesSQLite
import SporadesServerStages
import SporadesStore
import TestServer
import Testing

/// The objects of a file's store in a store on a server, so that one migration is compared on both.
struct ServerTwin {
  private let place: TestStore

  /// Nil for a model that has no tables on a server.
  init?(_ old: ManagedObjectModel, _ fill: (ManagedObjectContext) throws -> Void) throws {
    do throws(StoreError) { _ = try PostgreSQLStore.schema(for: old) } catch { return nil }
    place = try TestStore()
    let stack = DataStack(store: try place.open(old))
    try stack.newContext().performAndWait { context in
      try fill(context)
      try context.save()
    }
    try stack.store.close()
  }

  private func open(
    _ model: ManagedObjectModel, _ options: SQLiteStoreOptions
  ) throws -> PostgreSQLStore {
    try place.open(model, options.migration) {
      $0.migrationPlan = options.migrationPlan as? any StagedPlan
    }
  }

  /// Migrates the twin, and compares its objects with those of the migrated file, and its tables with those of a new store.
  func migrate(
    to new: ManagedObjectModel, _ options: SQLiteStoreOptions, like store: any PersistentStore,
    _ location: SourceLocation
  ) throws {
    let opened = try open(new, options)
    let (expected, found) = (try Self.lines(store), try Self.lines(opened))
    #expect(found == expected, "on the server", sourceLocation: location)
    try opened.close()
    let fresh = try TestStore()
    try fresh.open(new).close()
    let (tables, wanted) = (try place.schema(), try fresh.schema())
    #expect(
      Set(tables).symmetricDifference(wanted).sorted() == [], "the tables on the server",
      sourceLocation: location)
  }

  /// The server refuses the same migration for the same reasons, and everything stays.
  func refuses(
    to new: ManagedObjectModel, _ options: SQLiteStoreOptions, for problems: [MigrationProblem]
  ) throws {
    let former = try place.schema() + place.contents()
    let error = #expect(throws: StoreError.self) { try open(new, options).close() }
    guard case .cannotMigrate(let found)? = error?.code else {
      Issue.record("on the server: \(String(describing: error))")
      return
    }
    #expect(Set(found) == Set(problems), "on the server")
    #expect(try place.schema() + place.contents() == former)
  }

  /// All objects of a store, each in a line, by their places in the order of their keys: where tables come together, keys grow
  /// by the largest that was handed out, and a server hands out others.
  static func lines(_ store: any PersistentStore) throws -> [String] {
    try DataStack(store: store).newContext().performAndWait { context in
      var objects: [(object: ManagedObject, shape: EntityShape)] = []
      for shape in store.model.shapes where !shape.isAbstract {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        objects += try context.fetch(request).map { ($0, shape) }
      }
      let byKey = objects.map(\.object).sorted {
        $0.objectID.key.primaryKey < $1.objectID.key.primaryKey
      }
      var names: [ManagedObjectID: String] = [:]
      var counts: [String: Int] = [:]
      for object in byKey {
        counts[object.entity.name, default: 0] += 1
        names[object.objectID] = "\(object.entity.name)\(counts[object.entity.name, default: 0])"
      }
      return objects.map { line($0.object, $0.shape, names) }.sorted()
    }
  }

  private static func line(
    _ object: ManagedObject, _ shape: EntityShape, _ names: [ManagedObjectID: String]
  ) -> String {
    func name(_ object: ManagedObject) -> String { names[object.objectID] ?? "nothing" }
    var parts = [name(object)]
    for attribute in shape.attributes.sorted(by: { $0.name < $1.name })
    where attribute.description.derivationExpression != "now()" {
      parts.append("\(attribute.name)=\(text(object[attribute.name]))")
    }
    for relationship in shape.relationships.sorted(by: { $0.name < $1.name }) {
      let others =
        relationship.isToMany
        ? object.objects(forKey: relationship.name)
        : [object.object(forKey: relationship.name)].compactMap(\.self)
      let names = others.map(name)
      let shown = relationship.isOrdered ? names : names.sorted()
      parts.append("\(relationship.name)=\(shown.joined(separator: ","))")
    }
    return parts.joined(separator: " ")
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .date(let date):
      "\(DatePrecision.microseconds.rounded(date.timeIntervalSinceReferenceDate))"
    case .data(let data): "\(Array(data))"
    default: "\(value)"
    }
  }
}
