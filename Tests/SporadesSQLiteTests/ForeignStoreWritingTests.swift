// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What is written into a store of Apple's frameworks leaves everything else in it as it was, byte for byte.
@Suite(.enabled(if: StoreFixture.areThere, "needs the fixtures")) struct ForeignStoreWritingTests {
  private static let carriers = StoreFixture.carriers

  private func copy(_ path: String) throws -> URL {
    URL(fileURLWithPath: try StoreFixture.copy(of: StoreFixture.root + "/stores/" + path))
  }

  /// Tables, columns and entries that the library does not understand are put into the file first.
  private func addStrangers(_ url: URL) throws {
    let plain = try PlainStore(url.path)
    try plain.run(
      "CREATE TABLE STRANGER (A, B BLOB); INSERT INTO STRANGER VALUES ('a', x'00ff'), (NULL, 1.5); "
        + "CREATE INDEX STRANGERS ON STRANGER (A); CREATE VIEW STRANGE AS SELECT A FROM STRANGER;")
    for name in plain.entities.filter({ $0.value.parent == 0 }).keys.sorted() {
      let table = try plain.table(of: name)
      guard try plain.tables().contains(table) else { continue }
      try plain.run(
        "ALTER TABLE \(table) ADD COLUMN ZSTRANGER BLOB; UPDATE \(table) SET ZSTRANGER = x'0102' || Z_PK"
      )
    }
  }

  @Test(arguments: carriers)
  func insertsChangesAndDeletesOfEveryEntityLeaveTheRestAsItWas(_ path: String) throws {
    let url = try copy(path)
    try addStrangers(url)
    let before = try PlainStore(url.path).contents()
    let store = try SQLiteStore(openingStoreAt: url)
    #expect(!store.isReadOnly)
    let problems = try store.integrityProblems()
    let stack = DataStack(store: store)
    var written = 0
    for shape in store.model.shapes where !shape.isAbstract {
      if try writeAndDelete(shape, stack) { written += 1 }
      try changeAndRestore(shape, stack)
    }
    #expect(written > 0)
    #expect(Set(try store.integrityProblems()).isSubset(of: problems))
    try store.close()
    let after = try PlainStore(url.path).contents()
    #expect(Set(after.keys) == Set(before.keys))
    for (table, rows) in before {
      let isEqual = after[table] == rows
      #expect(isEqual, "\(table)")
    }
  }

  /// False if a rule of the model forbids the object.
  private func writeAndDelete(_ shape: EntityShape, _ stack: DataStack) throws -> Bool {
    try stack.newContext().performAndWait { context in
      var made: [ManagedObject] = []
      let object = try make(shape, context, depth: 0, &made)
      guard try saves(context) else { return false }
      for attribute in shape.attributes where attribute.type == .string && attribute.slot != nil {
        object[attribute.name] = .string("changed \(UUID().uuidString)")
      }
      _ = try saves(context)
      let ids = made.map(\.objectID)
      for object in made where !object.isDeleted { context.delete(object) }
      try context.save()
      for id in ids {
        #expect(throws: ContextError.self, "\(shape.name)") { try context.existingObject(with: id) }
      }
      return true
    }
  }

  /// An object with a value in each attribute, and with the objects that its model demands.
  private func make(
    _ shape: EntityShape, _ context: ManagedObjectContext, depth: Int, _ made: inout [ManagedObject]
  ) throws -> ManagedObject {
    let object = try context.insert(entityNamed: shape.name)
    made.append(object)
    for attribute in shape.attributes where attribute.slot != nil {
      object[attribute.name] = value(attribute)
    }
    for relationship in shape.relationships where depth < 4 && relationship.isStored {
      let description = relationship.description
      guard relationship.isToMany ? description.minCount > 0 : !description.isOptional,
        relationship.isToMany || object.object(forKey: relationship.name) == nil,
        let concrete = context.model.shapes.first(where: {
          relationship.destinationFamily.contains($0.number) && !$0.isAbstract
        })
      else { continue }
      let other = try make(concrete, context, depth: depth + 1, &made)
      if relationship.isToMany {
        object.setObjects([other], forKey: relationship.name)
      } else {
        object.setObject(other, forKey: relationship.name)
      }
    }
    return object
  }

  private func changeAndRestore(_ shape: EntityShape, _ stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      var request = FetchRequest(shape.name)
      (request.includesSubentities, request.fetchLimit) = (false, 1)
      guard let object = try context.fetch(request).first else { return }
      for attribute in shape.attributes
      where attribute.slot != nil && attribute.type == .string && !attribute.description.isDerived {
        let old = object[attribute.name]
        object[attribute.name] = .string("changed \(UUID().uuidString)")
        guard try saves(context) else { continue }
        object[attribute.name] = old
        #expect(try saves(context), "\(shape.name).\(attribute.name)")
      }
    }
  }

  private func value(_ attribute: AttributeShape) -> Value {
    let bounds = attribute.description.validation
    return switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      bounds.minimum.isNull ? .integer(1) : bounds.minimum
    case .boolean: true
    case .string: .string("foreign \(UUID().uuidString)")
    case .date: .date(Date(timeIntervalSinceReferenceDate: 1.5))
    case .binary, .transformable: .data(Data(repeating: 7, count: 200))
    case .uuid: .uuid(UUID())
    case .uri: URL(string: "https://example.org/").map { .url($0) } ?? .null
    case .undefined, .objectID, .composite: .null
    }
  }

  /// A model's own rules may refuse what the test made; nothing else may.
  private func saves(_ context: ManagedObjectContext) throws -> Bool {
    do {
      try context.save()
      return true
    } catch is ValidationError {
      context.rollback()
    } catch let error as StoreError {
      guard case .constraint = error.code else { throw error }
      context.rollback()
    }
    return false
  }
}
