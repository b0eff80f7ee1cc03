// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Whether the accessors the macros write read and write what they name, through a save.
struct ManagedPropertyTests {
  private let stack: DataStack

  init() throws {
    let classes = [User.self, Pet.self, Manager.self]
    let model = try ManagedObjectModel(classes)
    stack = DataStack(store: MemoryStore(model: model), classes: classes)
  }

  /// Saves a new object, and looks at it in another context.
  private func expect<Object: ManagedObject>(
    _ type: Object.Type, _ insert: (ManagedObjectContext) -> Object, _ check: (Object) -> Void
  ) throws {
    let writer = stack.newContext()
    try writer.performAndWait { context in
      _ = insert(context)
      try context.save()
    }
    let reader = stack.newContext()
    try reader.performAndWait { context in
      let found = try context.fetch(Object.self, FetchRequest(Object.declaration.name))
      check(try #require(found.first))
    }
  }

  @Test func newObjectsHaveTheInitialValues() throws {
    try expect(Pet.self) {
      Pet(context: $0)
    } _: { pet in
      #expect(pet.name == "Rex")
      #expect(pet.mood == .calm)
      #expect(pet.tricks == ["sit"])
      #expect(pet.diet == nil)
      #expect(pet.owner == nil)
    }
  }

  @Test func attributesOfEveryKindAreKept() throws {
    try expect(Pet.self) { context in
      let pet = Pet(context: context)
      pet.name = "Emma"
      pet.mood = .lively
      pet.tricks = []
      pet.diet = ["fish": 2]
      return pet
    } _: { pet in
      #expect(pet.name == "Emma")
      #expect(pet.mood == .lively)
      #expect(pet.tricks.isEmpty)
      #expect(pet.diet == ["fish": 2])
    }
  }

  @Test func compositesAreKept() throws {
    let address = Address(
      street: "Rue", city: nil, position: Position(latitude: 1.5, longitude: -2))
    try expect(User.self) { context in
      let user = User(context: context)
      #expect(user.address == nil)
      user.address = address
      return user
    } _: { user in
      #expect(user.address == address)
    }
  }

  @Test func aCompositeSetToNilIsNil() throws {
    try expect(User.self) { context in
      let user = User(context: context)
      user.address = Address(street: "Rue", city: "Rome", position: nil)
      user.address = nil
      return user
    } _: { user in
      #expect(user.address == nil)
    }
  }

  @Test func ownPropertiesStandBehindInheritedOnes() throws {
    try expect(Manager.self) { context in
      let manager = Manager(context: context)
      manager.name = "Ann"
      manager.salary = 2
      manager.bonus = 3
      manager.boss = manager
      return manager
    } _: { manager in
      #expect(manager.name == "Ann")
      #expect(manager.salary == 2)
      #expect(manager.bonus == 3)
      #expect(manager.boss === manager)
    }
  }

  @Test func relationshipsReachBothSides() throws {
    try expect(User.self) { context in
      let user = User(context: context)
      let pet = Pet(context: context)
      pet.owner = user
      #expect(user.pets == [pet])
      return user
    } _: { user in
      #expect(user.pets.map(\.name) == ["Rex"])
      #expect(user.pets.first?.owner === user)
    }
  }
}
