// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Names of triggers and indexes are made of names with underscores between them, and the names may have
/// underscores themselves.
@Suite struct CollidingNameTests {
  private static func counted(_ name: String, _ attribute: String, _ members: String)
    -> EntityDescription
  {
    var derived = AttributeDescription(attribute, .integer32, isOptional: true)
    derived.derivationExpression = "\(members).@count"
    return EntityDescription(
      name, attributes: [derived, AttributeDescription("x", .double, isOptional: true)],
      relationships: [.toMany(members, "Member", inverse: name == "A" ? "first" : "second")])
  }

  private static func model() throws -> ManagedObjectModel {
    var (one, two) = (counted("A", "b_c", "members"), counted("A_b", "c", "members"))
    one.indexes = [FetchIndexDescription("b_x", [.init("x")])]
    two.indexes = [FetchIndexDescription("x", [.init("x")])]
    return try ManagedObjectModel(entities: [
      one, two,
      EntityDescription(
        "Member",
        relationships: [
          .toOne("first", "A", inverse: "members"), .toOne("second", "A_b", inverse: "members"),
        ]),
    ])
  }

  @Test func bothDerivedValuesAreRight() throws {
    let path = Sample.temporaryPath()
    let stack = DataStack(store: try SQLiteStore(path: path, model: try Self.model()))
    try stack.newContext().performAndWait { context in
      let (one, two) = (
        try context.insert(entityNamed: "A"), try context.insert(entityNamed: "A_b")
      )
      for number in 0..<3 {
        let member = try context.insert(entityNamed: "Member")
        member.setObject(one, forKey: "first")
        if number > 0 { member.setObject(two, forKey: "second") }
      }
      try context.save()
      #expect(one["b_c"] == 3)
      #expect(two["c"] == 2)
      try context.delete(#require(one.objects(forKey: "members").first))
      try context.save()
      #expect(one["b_c"] == 2)
    }
    try stack.store.close()
    let again = DataStack(store: try SQLiteStore(path: path, model: try Self.model()))
    try again.newContext().performAndWait { context in
      let values = try context.fetch(FetchRequest("A")).map { $0["b_c"] }
      #expect(values == [2])
      _ = try context.fetch(FetchRequest("A_b", where: FetchPredicate(format: "x > 3")))
    }
    #expect(try again.store.integrityProblems().isEmpty)
    try again.store.close()
  }
}
