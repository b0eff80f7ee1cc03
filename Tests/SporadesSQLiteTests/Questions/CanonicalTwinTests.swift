// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Comparisons with `[cd]` beside an attribute that is derived with `canonical:`.
@Suite struct CanonicalTwinTests {
  private static let model: ManagedObjectModel = {
    let person = EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("name", .string, isOptional: true),
        .derived("plainName", "canonical:(name)", .string),
      ], indexes: [FetchIndexDescription("byPlainName", on: "plainName")])
    // The model is written here, so a mistake in it is a mistake of the tests.
    return try! ManagedObjectModel(entities: [person])
  }()
  private static let names = [
    "Émile", "emile", "E\u{301}MILE", "Emil", "Straße", "STRASSE", "İ", "i", "", nil, "Zoë",
  ]

  @Test(arguments: [
    "name BEGINSWITH[cd] 'emil'", "name ==[cd] 'ÉMILE'", "name BEGINSWITH[cd] 'STRASS'",
    "name ==[cd] 'i'", "name ==[cd] ''", "NOT name ==[cd] 'emile'", "name BEGINSWITH[cd] 'zo'",
    "name BEGINSWITH[c] 'e'", "name !=[cd] 'emile'",
  ])
  func theIndexFindsWhatTheComparisonMeans(format: String) throws {
    let store = try SQLiteStore(inMemory: Self.model)
    let stack = DataStack(store: store)
    let predicate = try FetchPredicate(format: format)
    try stack.newContext().performAndWait { context in
      for name in Self.names {
        try context.insert(entityNamed: "Person").setValue(name, forKey: "name")
      }
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let all = try context.fetch(FetchRequest("Person"))
      let expected = try all.filter { try predicate.evaluate(with: $0) }
      let found = try context.fetch(FetchRequest("Person", where: predicate))
      #expect(found.map(\.objectID) == expected.map(\.objectID))
      #expect(!found.isEmpty)
    }
    try store.close()
  }
}
