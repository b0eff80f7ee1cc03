// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What deleting does to related objects, by both sides' rules.
@Suite struct DeleteRuleTests {
  /// One kind of relationship between A (`others`) and B (`owner`).
  enum Kind: CaseIterable { case oneToOne, oneToMany, manyToMany }

  private static let rules: [DeleteRule] = [.nullify, .cascade, .deny, .noAction]

  private func model(_ kind: Kind, _ rule: DeleteRule, _ back: DeleteRule) throws
    -> ManagedObjectModel
  {
    var there = RelationshipDescription.toOne("others", "B", inverse: "owner", deleteRule: rule)
    var here = RelationshipDescription.toOne("owner", "A", inverse: "others", deleteRule: back)
    if kind != .oneToOne {
      there = .toMany("others", "B", inverse: "owner", deleteRule: rule)
    }
    if kind == .manyToMany { here = .toMany("owner", "A", inverse: "others", deleteRule: back) }
    return try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [there]), EntityDescription("B", relationships: [here]),
    ])
  }

  private func others(_ object: ManagedObject, _ key: String, isToMany: Bool) -> [ManagedObject] {
    isToMany ? object.objects(forKey: key) : object.object(forKey: key).map { [$0] } ?? []
  }

  @Test(arguments: StoreKind.atEveryDepth, Kind.allCases)
  func everyPairOfRules(in store: StoreKind, kind: Kind) throws {
    for rule in Self.rules {
      for back in Self.rules {
        for isFault in [false, true] {
          try check(store, kind, rule, back, isFault: isFault)
        }
      }
    }
  }

  private func check(
    _ store: StoreKind, _ kind: Kind, _ rule: DeleteRule, _ back: DeleteRule, isFault: Bool
  ) throws {
    let comment: Comment = "\(kind), \(rule), \(back), \(isFault)"
    let context = try store.stack(model(kind, rule, back)).context(store)
    try context.performAndWait { context in
      var a = try context.insert(entityNamed: "A")
      var b = try context.insert(entityNamed: "B")
      if kind == .oneToOne {
        a.setObject(b, forKey: "others")
      } else {
        a.setObjects([b], forKey: "others")
      }
      try context.save()
      if isFault {
        context.reset()
        a = try #require(try context.fetch(FetchRequest("A")).first)
        b = try #require(try context.fetch(FetchRequest("B")).first)
      }
      let plan = context.deletePlan(for: [a])
      #expect(!context.hasChanges, comment)
      #expect(plan.isDenied == (rule == .deny), comment)
      #expect(plan.denials.allSatisfy { $0.object === a && $0.others == [b] }, comment)
      if plan.isDenied {
        let text = "deletes \(a.objectID); denied by \(a.objectID)."
        #expect(plan.description.hasPrefix(text), comment)
      }
      context.delete(a)
      #expect(a.isDeleted, comment)
      #expect(context.deletedObjects == plan.deleted, comment)
      #expect(b.isDeleted == (rule == .cascade), comment)
      let denies = rule == .deny
      guard !denies else {
        let error = #expect(throws: ValidationError.self, comment) { try context.save() }
        #expect(error?.failures.map(\.code.rawValue) == [1600], comment)
        context.rollback()
        #expect(others(a, "others", isToMany: kind != .oneToOne) == [b], comment)
        #expect(others(b, "owner", isToMany: kind == .manyToMany) == [a], comment)
        return
      }
      try context.save()
      #expect(try context.count(FetchRequest("A")) == 0, comment)
      #expect(try context.count(FetchRequest("B")) == (rule == .cascade ? 0 : 1), comment)
      context.reset()
      if rule == .nullify || (kind == .manyToMany && rule != .cascade) {
        let left = try #require(try context.fetch(FetchRequest("B")).first)
        #expect(others(left, "owner", isToMany: kind == .manyToMany).isEmpty, comment)
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func cascadesEndInCycles(in store: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        relationships: [
          .toOne("next", "A", inverse: "last", deleteRule: .cascade),
          .toOne("last", "A", inverse: "next", deleteRule: .cascade),
          .toMany("all", "A", inverse: "all", deleteRule: .cascade),
        ])
    ])
    try store.stack(model).context(store).performAndWait { context in
      let ring = try (0..<100).map { _ in try context.insert(entityNamed: "A") }
      for (index, object) in ring.enumerated() {
        object.setObject(ring[(index + 1) % 100], forKey: "next")
        object.setObjects([ring[(index * 7) % 100], object], forKey: "all")
      }
      try context.save()
      context.reset()
      context.delete(try #require(try context.fetch(FetchRequest("A", limit: 1)).first))
      try context.save()
      #expect(try context.count(FetchRequest("A")) == 0)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aDeniedDeleteSucceedsOnceNothingIsLeft(in store: StoreKind) throws {
    try store.stack(model(.oneToMany, .deny, .nullify)).context(store).performAndWait { context in
      let a = try context.insert(entityNamed: "A")
      let b = try context.insert(entityNamed: "B")
      b.setObject(a, forKey: "owner")
      try context.save()
      context.delete(a)
      #expect(throws: ValidationError.self) { try context.save() }
      context.delete(b)
      try context.save()
      #expect(try context.count(FetchRequest("A")) == 0)
    }
  }
}
