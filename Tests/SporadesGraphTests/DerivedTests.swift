// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Derived attributes say after each save what their expressions say.
@Suite struct DerivedTests {
  @Test(arguments: StoreKind.allCases)
  func countsAndSumsFollowTheirMembers(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      let dogs = (1...3).map { weight in
        let dog = Dog.create(in: context)
        dog.weight = weight
        dog.owner = ann
        return dog
      }
      func check(_ counts: [Int], _ weights: [Int], _ comment: Comment) throws {
        try context.save()
        #expect([ann.dogCount, bob.dogCount] == counts, comment)
        #expect([ann.dogWeight, bob.dogWeight] == weights, comment)
        let fresh = try stack.newContext().performAndWait { other in
          try Person.all(sortedBy: "name", in: other).map { [$0.dogCount, $0.dogWeight] }
        }
        #expect(fresh == [[counts[0], weights[0]], [counts[1], weights[1]]], comment)
      }
      try check([3, 0], [6, 0], "inserted")
      context.refreshAllObjects()
      dogs[0].owner = bob
      try check([2, 1], [5, 1], "moved")
      context.reset()
      return
    }
  }

  @Test(arguments: StoreKind.allCases)
  func ownersThatDidNotChangeAreComputed(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let (rex, bella) = (Dog.create(in: context), Dog.create(in: context))
      ann.dogs = [rex, bella]
      try context.save()
      func edit(_ change: (Person, [Dog]) -> Void) throws -> [Int] {
        context.reset()
        let ann = try #require(try Person.first(in: context))
        change(ann, try Dog.all(sortedBy: "weight", in: context))
        try context.save()
        return [ann.dogCount, ann.dogWeight]
      }
      #expect(try edit { _, dogs in dogs[0].weight = 10 } == [2, 11])
      #expect(try edit { _, dogs in dogs[0].owner = nil } == [1, 10])
      #expect(try edit { ann, dogs in dogs[0].owner = ann } == [2, 11])
      #expect(try edit { _, dogs in context.delete(dogs[1]) } == [1, 1])
      #expect(try edit { ann, _ in ann.dogs = [] } == [0, 0])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func copiesFollowTheOwnersName(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let ann = Person.make("Änn", in: context)
      let rex = Dog.create(in: context)
      rex.owner = ann
      #expect(rex.ownerName == nil)
      #expect(ann.plainName == nil)
      try context.save()
      #expect(rex.ownerName == "Änn")
      #expect(rex.ownerLoud == "ÄNN")
      #expect(rex.ownerSoft == "änn")
      #expect(ann.plainName == "ann")
      context.reset()
      let again = try #require(try Person.first(in: context))
      again.name = "Zoë"
      try context.save()
      #expect(try Dog.first(in: context)?.ownerName == "Zoë")
      #expect(again.plainName == "zoe")
      #expect(try Dog.count(where: \.ownerLoud == "ZOË", in: context) == 1)
      context.delete(again)
      #expect(try Dog.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theTimeOfTheSaveIsKept(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let before = Date()
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      try context.save()
      let first = try #require(ann.savedAt)
      #expect(first >= before)
      #expect(first <= Date())
      #expect(bob.savedAt == first)
      ann.age = 4
      try context.save()
      #expect(try #require(ann.savedAt) >= first)
      #expect(bob.savedAt == first)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func savesOfChildrenDeriveWhenTheyReachTheStore(in kind: StoreKind) throws {
    let stack = try kind.people()
    let parent = stack.newContext()
    try stack.newChild(of: parent).performAndWait { context in
      let ann = Person.make("Ann", in: context)
      Dog.create(in: context).owner = ann
      try context.save()
      #expect(ann.dogCount == 0)
    }
    try parent.performAndWait { context in
      try context.save()
      #expect(try Person.first(in: context)?.dogCount == 1)
      #expect(try Dog.first(in: context)?.ownerName == "Ann")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func pathsWithoutInverseAndThroughManyObjectsAreFollowed(in kind: StoreKind) throws {
    func derived(_ name: String, _ type: AttributeType, _ text: String) -> AttributeDescription {
      var attribute = AttributeDescription(name, type, isOptional: true)
      attribute.derivationExpression = text
      return attribute
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "City", attributes: [AttributeDescription("name", .string, isOptional: true)]),
      EntityDescription(
        "House", attributes: [derived("cityName", .string, "city.name")],
        relationships: [.toOne("city", "City"), .toMany("flats", "Flat", inverse: "house")]),
      EntityDescription(
        "Flat",
        attributes: [
          AttributeDescription("rent", .double, isOptional: true),
          derived("town", .string, "uppercase:(house.city.name)"),
        ],
        relationships: [
          .toOne("house", "House", inverse: "flats"),
          .toMany("tenants", "Tenant", inverse: "flats"),
        ]),
      EntityDescription(
        "Tenant", attributes: [derived("rents", .double, "flats.@sum.rent")],
        relationships: [.toMany("flats", "Flat", inverse: "tenants")]),
    ])
    try kind.stack(model).newContext().performAndWait { context in
      let objects = try ["City", "House", "Flat", "Tenant"].map {
        try context.insert(entityNamed: $0)
      }
      let (city, house, flat, tenant) = (objects[0], objects[1], objects[2], objects[3])
      city["name"] = "Volos"
      house.setObject(city, forKey: "city")
      flat.setObject(house, forKey: "house")
      flat["rent"] = 500.5
      tenant.setObjects([flat], forKey: "flats")
      try context.save()
      #expect(house["cityName"] == "Volos")
      #expect(flat["town"] == "VOLOS")
      #expect(tenant["rents"] == 500.5)
      context.reset()
      func one(_ name: String) throws -> ManagedObject {
        try #require(try context.fetch(FetchRequest(name)).first)
      }
      try one("City")["name"] = "Larisa"
      try one("Flat")["rent"] = 600.0
      try context.save()
      #expect(try one("House")["cityName"] == "Larisa")
      #expect(try one("Flat")["town"] == "LARISA")
      #expect(try one("Tenant")["rents"] == 600.0)
    }
  }
}
