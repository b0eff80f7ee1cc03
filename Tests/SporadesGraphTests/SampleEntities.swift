// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting

// The seed systems' model, declared without macros.

final class User: ManagedObject {
  override class func makeObject(_ seed: ObjectSeed) -> ManagedObject { User(seed) }

  override class var declaration: EntityDeclaration {
    EntityDeclaration(
      User.self, name: "User",
      properties: [
        .property("firstname", String?.self),
        .property("lastname", String?.self),
        .property("age", Int.self, default: 0),
        .relationship("pets", Set<Pet>.self, deleteRule: .cascade, inverse: "owner"),
        .relationship("friends", Set<User>.self, inverse: "friends"),
        .transient("scratch", Int.self, default: 7),
      ])
  }

  override class var propertyKeyPaths: [PropertyKeyPath] {
    [
      PropertyKeyPath("firstname", \User.firstname, \User?.?.firstname),
      PropertyKeyPath("lastname", \User.lastname, \User?.?.lastname),
      PropertyKeyPath("age", \User.age, \User?.?.age),
      PropertyKeyPath("pets", \User.pets, \User?.?.pets),
      PropertyKeyPath("friends", \User.friends, \User?.?.friends),
      PropertyKeyPath("scratch", \User.scratch, \User?.?.scratch),
    ]
  }

  var firstname: String? {
    get { self[property: 0] }
    set { self[property: 0] = newValue }
  }
  var lastname: String? {
    get { self[property: 1] }
    set { self[property: 1] = newValue }
  }
  var age: Int {
    get { self[property: 2] }
    set { self[property: 2] = newValue }
  }
  var pets: Set<Pet> {
    get { self[property: 3] }
    set { self[property: 3] = newValue }
  }
  var friends: Set<User> {
    get { self[property: 4] }
    set { self[property: 4] = newValue }
  }
  var scratch: Int {
    get { self[property: 5] }
    set { self[property: 5] = newValue }
  }
}

final class Pet: ManagedObject {
  override class func makeObject(_ seed: ObjectSeed) -> ManagedObject { Pet(seed) }

  override class var declaration: EntityDeclaration {
    EntityDeclaration(
      Pet.self, name: "Pet",
      properties: [
        .property("name", String.self, default: "Rex"), .property("owner", User?.self),
      ])
  }

  override class var propertyKeyPaths: [PropertyKeyPath] {
    [
      PropertyKeyPath("name", \Pet.name, \Pet?.?.name),
      PropertyKeyPath("owner", \Pet.owner, \Pet?.?.owner),
    ]
  }

  var name: String {
    get { self[property: 0] }
    set { self[property: 0] = newValue }
  }
  var owner: User? {
    get { self[property: 1] }
    set { self[property: 1] = newValue }
  }
}

func makeStack() throws -> DataStack {
  let model = try ManagedObjectModel([User.self, Pet.self])
  return DataStack(store: MemoryStore(model: model), classes: [User.self, Pet.self])
}
