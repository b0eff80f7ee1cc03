// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Stores Apple's frameworks wrote, as object graphs: every object is reached by key, and what is
/// changed leaves a whole file. Works on copies.
@Suite(.enabled(if: StoreFixture.areThere)) struct FixtureGraphTests {
  @Test(arguments: StoreFixture.all + StoreFixture.cached)
  func everyObjectIsReachedByKey(fixture: StoreFixture) throws {
    let stack = DataStack(store: try fixture.open())
    let database = unsafe try fixture.database()
    defer { unsafe sqlite3_close(database) }
    try stack.newContext().performAndWait { context in
      for shape in fixture.model.shapes {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        let objects = try context.fetch(request)
        let table = "Z" + fixture.model.shape(numbered: shape.rootNumber).name.uppercased()
        let rows = try unsafe number(
          database,
          "SELECT COUNT(*) FROM \(table) WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE "
            + "Z_NAME = '\(shape.name)')")
        #expect(objects.count == rows, "\(shape.name)")
        for object in objects.prefix(20) { try visit(object, shape, context) }
      }
      #expect(!context.hasChanges)
    }
    try stack.store.close()
  }

  /// Reads every property; inverses lead back.
  private func visit(
    _ object: ManagedObject, _ shape: EntityShape, _ context: ManagedObjectContext
  ) throws {
    #expect(try context.existingObject(with: object.objectID) === object)
    for attribute in shape.attributes {
      let value = object[attribute.name]
      if !attribute.description.isOptional && !attribute.description.isTransient
        && attribute.type != .composite
      {
        #expect(!value.isNull, "\(shape.name).\(attribute.name)")
      }
    }
    for relationship in shape.relationships {
      let related =
        relationship.isToMany
        ? object.objects(forKey: relationship.name)
        : object.object(forKey: relationship.name).map { [$0] } ?? []
      for other in related {
        #expect(!other.isDeleted && other.entity.name != "", "\(shape.name).\(relationship.name)")
        guard let inverse = relationship.inverseName,
          case .relationship(let back)? = context.model.shape(named: other.entity.name)?[inverse]
        else { continue }
        let leadsBack =
          back.isToMany
          ? other.objects(forKey: inverse).contains { $0 === object }
          : other.object(forKey: inverse) === object
        #expect(leadsBack, "\(shape.name).\(relationship.name)")
      }
    }
  }

  @Test(arguments: StoreFixture.all + StoreFixture.cached)
  func whatTheGraphWritesLeavesAWholeFile(fixture: StoreFixture) throws {
    let store = try fixture.open()
    let before = try store.integrityProblems()
    let stack = DataStack(store: store)
    var counts: [String: Int] = [:]
    try stack.newContext().performAndWait { context in
      for shape in fixture.model.shapes where !shape.isAbstract {
        var request = FetchRequest(shape.name)
        request.includesSubentities = false
        counts[shape.name] = try context.count(request)
        let objects = try (0..<3).map { try fill(context.insert(entityNamed: shape.name), $0) }
        let linked = try link(objects[0], shape, context)
        try save(context, objects + linked)
        change(objects[0], shape)
        try save(context, objects)
        for object in objects + linked { context.delete(object) }
        try save(context, [])
        #expect(try context.count(request) == counts[shape.name], "\(shape.name)")
      }
    }
    let path = store.path ?? ""
    #expect(Set(try store.integrityProblems()).isSubset(of: before))
    try store.close()
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    let lines = try unsafe text(database, "PRAGMA integrity_check")
    #expect(lines == "ok")
    for (name, count) in counts {
      let shape = try #require(fixture.model.shape(named: name))
      let table = "Z" + fixture.model.shape(numbered: shape.rootNumber).name.uppercased()
      let rows = try unsafe number(
        database,
        "SELECT COUNT(*) FROM \(table) WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = "
          + "'\(name)') AND Z_PK <= (SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY)")
      #expect(rows == count, "\(name)")
    }
  }

  /// A model's own rules may refuse what the test made; nothing else may.
  private func save(_ context: ManagedObjectContext, _ objects: [ManagedObject]) throws {
    do {
      try context.save()
    } catch let error as ValidationError {
      let rules = [1570, 1580, 1590, 1600, 1610, 1620]
      #expect(error.failures.allSatisfy { rules.contains($0.code.rawValue) })
      context.rollback()
    } catch let error as StoreError {
      guard case .constraint = error.code else { throw error }
      context.rollback()
    }
  }

  private func fill(_ object: ManagedObject, _ number: Int) throws -> ManagedObject {
    for attribute in object.entity.attributes + inherited(object) {
      let bounds = attribute.validation
      object[attribute.name] =
        switch attribute.type {
        case .integer16, .integer32, .integer64:
          bounds.minimum.isNull ? .integer(Int64(number)) : bounds.minimum
        case .double, .float, .decimal:
          bounds.minimum.isNull ? .integer(Int64(number)) : bounds.minimum
        case .boolean: .boolean(number == 1)
        case .string: .string("graph \(UUID().uuidString)")
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number)))
        case .binary, .transformable: .data(Data(repeating: UInt8(number), count: 200))
        case .uuid: .uuid(UUID())
        case .uri: URL(string: "https://example.org/\(number)").map { .url($0) } ?? .null
        case .undefined, .objectID, .composite: .null
        }
    }
    return object
  }

  private func inherited(_ object: ManagedObject) -> [AttributeDescription] {
    let shape = object.managedObjectContext?.model.shape(named: object.entity.name)
    let own = Set(object.entity.attributes.map(\.name))
    return shape?.attributes.map(\.description).filter { !own.contains($0.name) } ?? []
  }

  /// Gives the object something in each of its relationships, and returns what was made for it.
  private func link(
    _ object: ManagedObject, _ shape: EntityShape, _ context: ManagedObjectContext
  ) throws -> [ManagedObject] {
    var made: [ManagedObject] = []
    for relationship in shape.relationships {
      let destination = context.model.shape(numbered: relationship.destination)
      guard
        let concrete = context.model.shapes.first(where: {
          destination.family.contains($0.number) && !$0.isAbstract
        })
      else { continue }
      let other = try fill(context.insert(entityNamed: concrete.name), 5 + made.count)
      made.append(other)
      if relationship.isToMany {
        object.setObjects([other], forKey: relationship.name)
      } else {
        object.setObject(other, forKey: relationship.name)
      }
    }
    return made
  }

  private func change(_ object: ManagedObject, _ shape: EntityShape) {
    guard object.managedObjectContext != nil, !object.isFault else { return }
    for attribute in shape.attributes where attribute.type == .string {
      object[attribute.name] = .string("changed \(UUID().uuidString)")
    }
  }

  private func number(_ database: OpaquePointer?, _ sql: String) throws -> Int {
    Int(try unsafe text(database, sql)) ?? -1
  }

  private func text(_ database: OpaquePointer?, _ sql: String) throws -> String {
    var statement: OpaquePointer?
    try #require(
      unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { unsafe sqlite3_finalize(statement) }
    guard unsafe sqlite3_step(statement) == SQLITE_ROW else { return "" }
    return unsafe String(cString: sqlite3_column_text(statement, 0))
  }
}
