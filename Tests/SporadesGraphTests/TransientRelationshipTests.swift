// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Relationships that no store keeps, between A and B, with every count on both sides.
@Suite struct TransientRelationshipTests {
  struct Sides: Sendable, CustomTestStringConvertible {
    let isToMany: Bool
    let isBackToMany: Bool
    var testDescription: String {
      "\(isToMany ? "many" : "one") to \(isBackToMany ? "many" : "one")"
    }

    static let all = [(false, false), (false, true), (true, false), (true, true)].map {
      Sides(isToMany: $0.0, isBackToMany: $0.1)
    }
  }

  /// The relationship `bs` of A is transient; `as` of B is, too, unless it is said to be stored.
  private func stack(
    _ kind: StoreKind, _ sides: Sides = Sides(isToMany: true, isBackToMany: true),
    rule: DeleteRule = .nullify, isOrdered: Bool = false, isBackStored: Bool = false
  ) throws -> DataStack {
    var there = RelationshipDescription.toOne("bs", "B", inverse: "as", deleteRule: rule)
    if sides.isToMany {
      there = .toMany("bs", "B", inverse: "as", isOrdered: isOrdered, deleteRule: rule)
    }
    var back = RelationshipDescription.toOne("as", "A", inverse: "bs")
    if sides.isBackToMany { back = .toMany("as", "A", inverse: "bs") }
    there.isTransient = true
    back.isTransient = !isBackStored
    return try kind.stack(
      ManagedObjectModel(entities: [
        EntityDescription(
          "A", attributes: [AttributeDescription("name", .string, isOptional: true)],
          relationships: [there]),
        EntityDescription("B", relationships: [back]),
      ]))
  }

  private func linked(_ object: ManagedObject, _ name: String) -> [ManagedObject] {
    object.managedObjectContext?.model.shape(named: object.entity.name)?.relationships
      .first { $0.name == name }?.isToMany == true
      ? object.objects(forKey: name) : object.object(forKey: name).map { [$0] } ?? []
  }

  private func set(
    _ object: ManagedObject, _ name: String, _ others: [ManagedObject], _ sides: Bool
  ) {
    if sides {
      object.setObjects(others, forKey: name)
    } else {
      object.setObject(others.first, forKey: name)
    }
  }

  // MARK: - Both sides

  @Test(arguments: StoreKind.atEveryDepth, Sides.all)
  func bothSidesAreKeptAndNeitherIsAChange(in kind: StoreKind, sides: Sides) throws {
    try stack(kind, sides).context(kind).performAndWait { context in
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      try context.save()
      set(a, "bs", [b], sides.isToMany)
      #expect(linked(a, "bs") == [b])
      #expect(linked(b, "as") == [a])
      #expect(!context.hasChanges)
      #expect(!a.hasPersistentChangedValues)
      #expect(a.changedValues().isEmpty)
      #expect(a.committedValues()["bs"] == nil)
      #expect(!a.hasFault(forRelationshipNamed: "bs"))
      #expect(a.objectIDs(forRelationshipNamed: "bs") == [b.objectID])
      try context.save()
      #expect(linked(a, "bs") == [b])
      #expect(linked(b, "as") == [a])
      set(b, "as", [], sides.isBackToMany)
      #expect(linked(a, "bs").isEmpty)
      #expect(linked(b, "as").isEmpty)
    }
  }

  @Test(arguments: Sides.all)
  func aToOneSideGivesUpWhatItLedTo(sides: Sides) throws {
    try stack(.memory, sides).newContext().performAndWait { context in
      let one = try context.insert(entityNamed: "A")
      let two = try context.insert(entityNamed: "A")
      let (b, c) = try (context.insert(entityNamed: "B"), context.insert(entityNamed: "B"))
      set(one, "bs", [b], sides.isToMany)
      set(two, "bs", [b], sides.isToMany)
      #expect(Set(linked(b, "as")) == (sides.isBackToMany ? [one, two] : [two]))
      #expect(linked(one, "bs") == (sides.isBackToMany ? [b] : []))
      set(two, "bs", [c], sides.isToMany)
      #expect(linked(b, "as") == (sides.isBackToMany ? [one] : []))
      #expect(linked(c, "as") == [two])
    }
  }

  @Test func membersAreAddedRemovedAndPutInOrder() throws {
    try stack(.memory, isOrdered: true).newContext().performAndWait { context in
      let a = try context.insert(entityNamed: "A")
      let bs = try (0..<3).map { _ in try context.insert(entityNamed: "B") }
      for b in bs { a.add(b, to: "bs") }
      #expect(a.objects(forKey: "bs") == bs)
      a.move(from: 0, to: 2, in: "bs")
      #expect(a.objects(forKey: "bs") == [bs[1], bs[2], bs[0]])
      a.remove(bs[2], from: "bs")
      a.insert(bs[2], into: "bs", at: 0)
      #expect(a.objects(forKey: "bs") == [bs[2], bs[1], bs[0]])
      #expect(bs.allSatisfy { $0.objects(forKey: "as") == [a] })
      #expect(a.count(forRelationshipNamed: "bs") == 3)
    }
  }

  // MARK: - Deleting, undoing, forgetting

  @Test func deleteRulesHold() throws {
    for rule in [DeleteRule.nullify, .cascade, .deny, .noAction] {
      try stack(.sqlite, rule: rule).newContext().performAndWait { context in
        let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
        try context.save()
        a.add(b, to: "bs")
        context.delete(a)
        #expect(b.isDeleted == (rule == .cascade), "\(rule)")
        guard rule != .deny else {
          #expect(throws: ValidationError.self) { try context.save() }
          return
        }
        #expect(b.isDeleted || b.objects(forKey: "as").isEmpty, "\(rule)")
        try context.save()
        #expect(b.objects(forKey: "as").isEmpty, "\(rule)")
      }
    }
  }

  @Test func aDeletionThatIsUndoneShowsTheLinksAgain() throws {
    try stack(.memory).newContext().performAndWait { context in
      context.undoManager = ContextUndoManager()
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      try context.save()
      context.undoManager?.removeAllActions()
      a.add(b, to: "bs")
      context.delete(b)
      context.processPendingChanges()
      #expect(a.objects(forKey: "bs").isEmpty)
      context.undo()
      #expect(a.objects(forKey: "bs") == [b])
      #expect(b.objects(forKey: "as") == [a])
    }
  }

  @Test func settingALinkIsNotUndone() throws {
    try stack(.memory).newContext().performAndWait { context in
      context.undoManager = ContextUndoManager()
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      try context.save()
      context.undoManager?.removeAllActions()
      a["name"] = .string("changed")
      a.add(b, to: "bs")
      context.processPendingChanges()
      context.undo()
      #expect(a["name"] == .null)
      #expect(a.objects(forKey: "bs") == [b])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectThatForgetsItsValuesLeavesBothSides(in kind: StoreKind) throws {
    try stack(kind).newContext().performAndWait { context in
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      try context.save()
      a.add(b, to: "bs")
      context.refresh(a, mergeChanges: false)
      #expect(b.objects(forKey: "as").isEmpty)
      #expect(a.objects(forKey: "bs").isEmpty)
      a.add(b, to: "bs")
      a["name"] = .string("changed")
      context.rollback()
      #expect(b.objects(forKey: "as").isEmpty)
      #expect(a.objects(forKey: "bs").isEmpty)
    }
  }

  @Test func aChildKeepsItsLinksToItself() throws {
    let stack = try stack(.sqlite)
    let main = stack.newContext()
    let ids = try stack.newChild(of: main).performAndWait { context in
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      a.add(b, to: "bs")
      try context.save()
      #expect(a.objects(forKey: "bs") == [b])
      return [a.objectID, b.objectID]
    }
    try main.performAndWait { context in
      let a = try context.existingObject(with: ids[0])
      let b = try context.existingObject(with: ids[1])
      #expect(a.objects(forKey: "bs").isEmpty)
      #expect(b.objects(forKey: "as").isEmpty)
    }
  }

  // MARK: - Beside stored relationships

  @Test(arguments: StoreKind.allCases, Sides.all)
  func aTransientSideFollowsAStoredOne(in kind: StoreKind, sides: Sides) throws {
    let stack = try stack(kind, sides, isBackStored: true)
    let ids = try stack.newContext().performAndWait { context in
      let (a, b) = try (context.insert(entityNamed: "A"), context.insert(entityNamed: "B"))
      let c = try context.insert(entityNamed: "A")
      set(b, "as", [a], sides.isBackToMany)
      #expect(linked(a, "bs") == [b])
      set(b, "as", [c], sides.isBackToMany)
      #expect(linked(a, "bs").isEmpty)
      #expect(linked(c, "bs") == [b])
      set(c, "bs", [], sides.isToMany)
      #expect(linked(b, "as").isEmpty)
      set(a, "bs", [b], sides.isToMany)
      #expect(linked(b, "as") == [a])
      #expect(b.hasChanges)
      try context.save()
      return [a.objectID, b.objectID]
    }
    try stack.newContext().performAndWait { context in
      let (a, b) = try (
        context.existingObject(with: ids[0]), context.existingObject(with: ids[1])
      )
      #expect(linked(b, "as") == [a])
      #expect(linked(a, "bs").isEmpty)
    }
  }

  // MARK: - Requests

  @Test(
    arguments: StoreKind.atEveryDepth,
    [
      "ANY bs.as != nil", "bs.@count > 0", "SELF IN bs", "ANY bs == nil",
    ])
  func predicatesThatAskForThemAreRefusedByName(in kind: StoreKind, format: String) throws {
    try stack(kind).context(kind).performAndWait { context in
      var request = FetchRequest("A")
      request.predicate = try FetchPredicate(format: format)
      let error = #expect(throws: (any Error).self) { try context.fetch(request) }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("A.bs is a transient relationship"), "\(text)")
    }
  }

  @Test func sortingAndPrefetchingByThemAreRefusedByName() throws {
    try stack(.sqlite, Sides(isToMany: false, isBackToMany: true)).newContext().performAndWait {
      context in
      _ = try context.insert(entityNamed: "A")
      try context.save()
      var sorted = FetchRequest("A")
      sorted.sortTerms = [SortTerm("bs.name")]
      #expect(throws: (any Error).self) { try context.fetch(sorted) }
      var prefetching = FetchRequest("A")
      prefetching.relationshipKeyPathsForPrefetching = ["bs"]
      let error = #expect(throws: FetchPredicateError.self) { try context.fetch(prefetching) }
      #expect(error?.code == .notStored)
    }
  }

  @Test func aNewObjectIsNotAskedForTheirCounts() throws {
    var needed = RelationshipDescription.toOne("b", "A", isOptional: false)
    var several = RelationshipDescription.toMany("bs", "A", isOptional: false)
    (needed.isTransient, several.isTransient) = (true, true)
    several.minCount = 2
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", relationships: [needed, several])
    ])
    try DataStack(store: MemoryStore(model: model)).newContext().performAndWait { context in
      _ = try context.insert(entityNamed: "A")
      try context.save()
    }
  }
}
