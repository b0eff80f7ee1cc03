// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// A to-many relationship may be empty where it has no minimum or is optional; a to-one must lead
/// somewhere where it is not optional.
@Suite struct MinimumCountTests {
  struct Bound: Sendable, CustomTestStringConvertible {
    let isOptional: Bool
    let minimum: Int
    var testDescription: String { "\(isOptional ? "optional" : "required"), at least \(minimum)" }
    static let all = [(false, 0), (true, 0), (false, 1), (true, 1)].map {
      Bound(isOptional: $0.0, minimum: $0.1)
    }
  }

  private func context(_ kind: StoreKind, _ bound: Bound, isManyToMany: Bool) throws -> ContextQueue
  {
    var members = RelationshipDescription.toMany(
      "members", "Member", inverse: "clubs", isOptional: bound.isOptional)
    members.minCount = bound.minimum
    let back: RelationshipDescription =
      isManyToMany
      ? .toMany("clubs", "Club", inverse: "members")
      : .toOne("clubs", "Club", inverse: "members")
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Club", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [members]),
      EntityDescription("Member", relationships: [back]),
    ])
    return try kind.stack(model).context(kind)
  }

  /// Whether a save is accepted; a refused one is rolled back.
  private func isSaved(_ context: ManagedObjectContext) throws -> Bool {
    do {
      try context.save()
      return true
    } catch let error as ValidationError {
      #expect(error.failures.map(\.code.rawValue) == [1580])
      context.rollback()
      return false
    }
  }

  @Test(arguments: StoreKind.atEveryDepth, Bound.all)
  func insertsUpdatesAndDeletesFollowTheMinimum(in kind: StoreKind, bound: Bound) throws {
    let mayBeEmpty = bound.minimum == 0 || bound.isOptional
    for isManyToMany in [false, true] {
      try context(kind, bound, isManyToMany: isManyToMany).performAndWait { context in
        _ = try context.insert(entityNamed: "Club")
        #expect(try isSaved(context) == mayBeEmpty)
        let club = try context.insert(entityNamed: "Club")
        let member = try context.insert(entityNamed: "Member")
        club.add(member, to: "members")
        #expect(try isSaved(context))
        club["name"] = .string("renamed")
        #expect(try isSaved(context))
        club.setObjects([], forKey: "members")
        #expect(try isSaved(context) == mayBeEmpty)
        club.setObjects([member], forKey: "members")
        #expect(try isSaved(context))
        context.delete(member)
        #expect(try isSaved(context) == mayBeEmpty)
        context.delete(club)
        #expect(try isSaved(context))
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aRequiredToOneMustLeadSomewhere(in kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Club", relationships: [.toMany("members", "Member", inverse: "club")]),
      EntityDescription(
        "Member", relationships: [.toOne("club", "Club", inverse: "members", isOptional: false)]),
    ])
    try kind.stack(model).context(kind).performAndWait { context in
      let member = try context.insert(entityNamed: "Member")
      #expect(throws: ValidationError.self) { try context.save() }
      let club = try context.insert(entityNamed: "Club")
      member.setObject(club, forKey: "club")
      try context.save()
      context.delete(club)
      #expect(throws: ValidationError.self) { try context.save() }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func theMinimumIsAskedOfAnOwnerNobodyHasInMemory(in kind: StoreKind) throws {
    for inverse in [nil, "album"] {
      var photos = RelationshipDescription.toMany(
        "photos", "Photo", inverse: inverse, isOptional: false)
      photos.minCount = 1
      let back = inverse.map { [RelationshipDescription.toOne($0, "Album", inverse: "photos")] }
      let model = try ManagedObjectModel(entities: [
        EntityDescription("Album", relationships: [photos]),
        EntityDescription("Photo", relationships: back ?? []),
      ])
      let stack = try kind.stack(model)
      try stack.newContext().performAndWait { context in
        let album = try context.insert(entityNamed: "Album")
        album.add(try context.insert(entityNamed: "Photo"), to: "photos")
        try context.save()
      }
      try stack.context(kind).performAndWait { context in
        let photo = try #require(try context.fetch(FetchRequest("Photo")).first)
        context.delete(photo)
        #expect(throws: ValidationError.self) { try context.save() }
      }
    }
  }

  @Test func aNegativeMaximumIsNoBound() throws {
    var members = RelationshipDescription.toMany("members", "Club")
    members.maxCount = -1
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Club", relationships: [members])
    ])
    try DataStack(store: MemoryStore(model: model)).newContext().performAndWait { context in
      let clubs = try (0..<3).map { _ in try context.insert(entityNamed: "Club") }
      clubs[0].setObjects(Array(clubs[1...]), forKey: "members")
      try context.save()
      #expect(clubs[0].objects(forKey: "members").count == 2)
    }
  }
}
