// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
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
    var refused: [String: String] = [:]
    for shape in store.model.shapes where !shape.isAbstract {
      refused[shape.name] = try writeAndDelete(shape, stack)
      try changeAndRestore(shape, stack)
    }
    #expect(refused == [:])
    #expect(Set(try store.integrityProblems()).isSubset(of: problems))
    try store.close()
    let after = try PlainStore(url.path).contents()
    #expect(Set(after.keys) == Set(before.keys))
    for (table, rows) in before {
      let isEqual = after[table] == rows
      #expect(isEqual, "\(table)")
    }
  }

  /// The rule of the model that forbids the object; nil if none does.
  private func writeAndDelete(_ shape: EntityShape, _ stack: DataStack) throws -> String? {
    try stack.newContext().performAndWait { context in
      var made: [ManagedObject] = []
      let object = try make(shape, context, setting: nil, &made)
      if let reason = try refusal(context) { return reason }
      for attribute in shape.attributes where attribute.type == .string && attribute.slot != nil {
        object[attribute.name] = .string("changed \(UUID().uuidString)")
      }
      _ = try refusal(context)
      let ids = made.map(\.objectID)
      for object in made where !object.isDeleted { context.delete(object) }
      try context.save()
      for id in ids {
        #expect(throws: ContextError.self, "\(shape.name)") { try context.existingObject(with: id) }
      }
      return nil
    }
  }

  /// An object with a value in each attribute, and with the objects that its model demands, but for those of a
  /// relationship that the caller sets.
  private func make(
    _ shape: EntityShape, _ context: ManagedObjectContext, setting answered: String?,
    _ made: inout [ManagedObject]
  ) throws -> ManagedObject {
    let object = try context.insert(entityNamed: shape.name)
    made.append(object)
    for attribute in shape.attributes
    where attribute.slot != nil && !attribute.description.isDerived {
      object[attribute.name] = value(attribute, of: object)
    }
    for relationship in shape.relationships
    where relationship.isStored && relationship.name != answered {
      let description = relationship.description
      let count =
        relationship.isToMany ? description.minCount : description.isOptional ? 0 : 1
      // A chain of demands that comes back to itself would never end.
      guard count > 0, made.count < 30,
        let concrete = context.model.shapes.first(where: {
          relationship.destinationFamily.contains($0.number) && !$0.isAbstract
        })
      else { continue }
      let others = try (0..<count).map { _ in
        try make(concrete, context, setting: relationship.inverseName, &made)
      }
      if relationship.isToMany {
        object.setObjects(others, forKey: relationship.name)
      } else {
        object.setObject(others.first, forKey: relationship.name)
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
        guard try refusal(context) == nil else { continue }
        object[attribute.name] = old
        #expect(try refusal(context) == nil, "\(shape.name).\(attribute.name)")
      }
    }
  }

  /// A value that the rules of the attribute allow.
  private func value(_ attribute: AttributeShape, of object: ManagedObject) -> Value {
    let values = values(attribute)
    // `try?`, because the save tells the rule that forbids all of them.
    return values.first { (try? object.validateValue($0, forKey: attribute.name)) != nil }
      ?? values[0]
  }

  private func values(_ attribute: AttributeShape) -> [Value] {
    let bounds = attribute.description.validation
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .decimal:
      return [.integer(1), bounds.minimum, bounds.maximum]
    case .boolean: return [true]
    case .string:
      let word = UUID().uuidString
      return [.string("foreign \(word)"), .string("title \(word)"), .string("\(word.prefix(8))")]
    case .date: return [.date(Date(timeIntervalSinceReferenceDate: 1.5))]
    case .binary, .transformable: return [.data(Data(repeating: 7, count: 200))]
    case .uuid: return [.uuid(UUID())]
    case .uri: return [URL(string: "https://example.org/").map { .url($0) } ?? .null]
    case .undefined, .objectID, .composite: return [.null]
    }
  }

  /// Saves, or takes the changes back and returns the rule of the model that forbids them. Nothing else may.
  private func refusal(_ context: ManagedObjectContext) throws -> String? {
    do {
      try context.save()
      return nil
    } catch let error as ValidationError {
      context.rollback()
      return "\(error)"
    } catch let error as StoreError {
      guard case .constraint = error.code else { throw error }
      context.rollback()
      return error.detail
    }
  }
}
