// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Derived values follow from others: two who change them at once are in no conflict, and what is
/// stored in the end is what the expressions say of all that was saved.
@Suite struct DerivedConflictTests {
  private struct Sides {
    let stack: DataStack
    let mine: ContextQueue
    let theirs: ContextQueue

    init(_ kind: StoreKind) throws {
      stack = try kind.people()
      try stack.newContext().performAndWait { context in
        let ann = Person.make("Ann", in: context)
        let rex = Dog.create(in: context)
        rex.owner = ann
        try context.save()
      }
      (mine, theirs) = (stack.newContext(), stack.newContext())
    }

    /// Both change before either has heard of the other; theirs is saved first.
    func meet(
      _ policy: MergePolicy = .error, mine change: (Person, ManagedObjectContext) throws -> Void,
      theirs other: (Person, ManagedObjectContext) throws -> Void
    ) throws {
      try mine.performAndWait { context in
        context.mergePolicy = policy
        let ann = try Self.ann(context)
        #expect(ann.dogs.allSatisfy { $0.ownerName == "Ann" })
        try change(ann, context)
        try theirs.performAndWait { context in
          try other(try Self.ann(context), context)
          try context.save()
        }
        try context.save()
        #expect(!context.hasChanges)
      }
    }

    static func ann(_ context: ManagedObjectContext) throws -> Person {
      try #require(try Person.first(sortedBy: \.age, in: context))
    }

    /// What is stored, and what every context shows.
    func check(_ name: String, _ dogs: Int, _ weight: Int, age: Int = 0) throws {
      for queue in [stack.newContext(), mine, theirs] {
        try queue.performAndWait { context in
          let ann = try Self.ann(context)
          #expect([ann.dogCount, ann.dogWeight, ann.age] == [dogs, weight, age])
          #expect(ann.dogs.count == dogs)
          #expect(ann.name == name)
          #expect(ann.plainName == name.lowercased())
          for dog in ann.dogs {
            #expect(dog.ownerName == name)
            #expect(dog.ownerLoud == name.uppercased())
          }
        }
      }
    }
  }

  private func add(_ weight: Int, to ann: Person, _ context: ManagedObjectContext) {
    let dog = Dog.create(in: context)
    dog.weight = weight
    dog.owner = ann
  }

  /// The link is not dropped in silence, though its owner changed here in a derived value alone.
  @Test(arguments: StoreKind.allCases)
  func anOwnerThatOthersDeleteIsAConflictOfItsNewMember(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    var pup: Dog?
    let error = #expect(throws: StoreError.self) {
      try sides.meet(
        mine: { ann, context in
          pup = Dog.create(in: context)
          pup?.owner = ann
        }, theirs: { ann, context in context.delete(ann) })
    }
    guard case .conflict? = error?.code else {
      Issue.record("\(error as Any)")
      return
    }
    sides.mine.performAndWait { context in #expect(pup?.isInserted == true) }
    #expect(try sides.stack.newContext().performAndWait { try Dog.count(in: $0) } == 0)
  }

  @Test(arguments: StoreKind.allCases)
  func bothAddAMember(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(mine: { add(10, to: $0, $1) }, theirs: { add(100, to: $0, $1) })
    try sides.check("Ann", 3, 111)
  }

  @Test(arguments: StoreKind.allCases)
  func oneAddsAMemberAndTheOtherChangesTheOwner(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(mine: { add(10, to: $0, $1) }, theirs: { ann, _ in ann.age = 7 })
    try sides.check("Ann", 2, 11, age: 7)
    try sides.meet(
      mine: { ann, _ in ann.age = 8 },
      theirs: { ann, context in
        for dog in ann.dogs where dog.weight == 10 { context.delete(dog) }
      })
    try sides.check("Ann", 1, 1, age: 8)
  }

  @Test(arguments: StoreKind.allCases)
  func copiesAreOfTheNameThatIsStored(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(mine: { add(10, to: $0, $1) }, theirs: { ann, _ in ann.name = "Eve" })
    try sides.check("Eve", 2, 11)
  }

  @Test(arguments: StoreKind.allCases)
  func aRenamedOwnerMeetsItsMembers(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(
      mine: { ann, _ in ann.name = "Eve" },
      theirs: { ann, context in
        add(10, to: ann, context)
        ann.dogs.first { $0.weight == 1 }?.weight = 5
      })
    try sides.check("Eve", 2, 15)
  }

  @Test(arguments: StoreKind.allCases)
  func anOwnerThatIsDeletedMeanwhileIsNoConflictOfItsOwn(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(
      .custom { conflict in
        guard case .merge(let merge) = conflict, merge.objectID.entityName == "Dog" else {
          return .refuse
        }
        return .objectTrump
      },
      mine: { ann, _ in ann.dogs.first?.weight = 5 },
      theirs: { ann, context in
        ann.dogs.first?.owner = nil
        context.delete(ann)
      })
    try sides.stack.newContext().performAndWait { context in
      let rex = try #require(try Dog.first(in: context))
      #expect(rex.weight == 5)
      #expect(rex.owner == nil)
      #expect(rex.ownerName == nil)
      #expect(try Person.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionMeetsADerivedChange(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.meet(
      mine: { ann, context in for dog in ann.dogs { context.delete(dog) } },
      theirs: { ann, _ in ann.name = "Eve" })
    try sides.check("Eve", 0, 0)
  }

  /// Values of their own conflict as ever, and the error names them alone.
  @Test(arguments: StoreKind.allCases)
  func onlyWhatBothSetIsNamed(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.mine.performAndWait { context in
      let ann = try Sides.ann(context)
      let rex = try #require(ann.dogs.first)
      rex.weight = 5
      try sides.theirs.performAndWait { context in
        let ann = try Sides.ann(context)
        ann.dogs.first?.weight = 6
        try context.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .conflict([rex.objectID]))
      #expect(error?.mergeConflicts.map(\.objectID) == [rex.objectID])
      context.mergePolicy = .objectTrump
      try context.save()
    }
    try sides.check("Ann", 1, 5)
  }

  /// A member without the owner's count: no row of the owner says that it changed.
  @Test(arguments: StoreKind.allCases)
  func aNewMemberCopiesWhatIsStoredThoughNoRowIsShared(in kind: StoreKind) throws {
    var copy = AttributeDescription("cityName", .string, isOptional: true)
    copy.derivationExpression = "city.name"
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "City", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [.toMany("houses", "House", inverse: "city")]),
      EntityDescription(
        "House", attributes: [copy], relationships: [.toOne("city", "City", inverse: "houses")]),
    ])
    let stack = try kind.stack(model)
    func one(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
      try #require(try context.fetch(FetchRequest(name)).first)
    }
    try stack.newContext().performAndWait { context in
      try context.insert(entityNamed: "City")["name"] = "Volos"
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let house = try context.insert(entityNamed: "House")
      house.setObject(try one("City", context), forKey: "city")
      #expect(try one("City", context)["name"] == "Volos")
      try stack.newContext().performAndWait { other in
        try one("City", other)["name"] = "Larisa"
        try other.save()
      }
      try context.save()
      #expect(house["cityName"] == "Larisa")
    }
    let stored = try stack.newContext().performAndWait { try one("House", $0)["cityName"] }
    #expect(stored == "Larisa")
  }
}
