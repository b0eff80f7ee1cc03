// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A namespace, because the other tests have entities of these names too.
private enum Shop {
  @Entity final class Account: ManagedObject {
    @Attribute(.unique) var email: String?
    var name: String = "nobody"
    var age: Int = 0
    @Relationship(deleteRule: .cascade, inverse: "account") var orders: Set<Order>
    @Relationship(inverse: "members") var groups: Set<Group>
    @Relationship(inverse: "account") var card: Card?
    @Relationship(inverse: "referred") var referrer: Account?
    @Relationship(inverse: "referrer") var referred: Set<Account>
  }

  @Entity final class Order: ManagedObject {
    var number: Int = 0
    @Relationship(inverse: "orders") var account: Account?
  }

  @Entity final class Group: ManagedObject {
    @Attribute(.unique) var title: String?
    @Relationship(inverse: "groups") var members: Set<Account>
  }

  @Entity final class Card: ManagedObject {
    var digits: Int = 0
    @Relationship(inverse: "card") var account: Account?
  }

  @Entity final class Watch: ManagedObject { var watched: Account? }

  static let classes: [ManagedObject.Type] = [
    Account.self, Order.self, Group.self, Card.self, Watch.self,
  ]
}

/// What a save does that meets values which must be unique and are taken.
@Suite struct ConflictOfValuesTests {
  private typealias Account = Shop.Account
  private typealias Order = Shop.Order

  /// A store with Ann, 40, who has order 1, card 1 and the group "old".
  private func stack(_ kind: StoreKind) throws -> DataStack {
    let model = try ManagedObjectModel(Shop.classes)
    let stack = DataStack(store: try kind.store(model), classes: Shop.classes)
    try stack.newContext().performAndWait { context in
      let ann = Account.create(in: context)
      (ann.email, ann.name, ann.age) = ("ann@x", "Ann", 40)
      let (order, card, group) = (
        Order.create(in: context), Shop.Card.create(in: context), Shop.Group.create(in: context)
      )
      (order.number, card.digits, group.title) = (1, 1, "old")
      (ann.orders, ann.card, ann.groups) = ([order], card, [group])
      try context.save()
    }
    return stack
  }

  private func newAnn(_ context: ManagedObjectContext) -> Account {
    let ann = Account.create(in: context)
    (ann.email, ann.name) = ("ann@x", "Anna")
    let (order, group) = (Order.create(in: context), Shop.Group.create(in: context))
    (order.number, group.title) = (2, "new")
    (ann.orders, ann.groups) = ([order], [group])
    Shop.Watch.create(in: context).watched = ann
    return ann
  }

  /// The one account there is, as a fresh context sees it.
  private func summary(_ stack: DataStack) throws -> String {
    try stack.newContext().performAndWait { context in
      let accounts = try Account.all(where: \.email == "ann@x", in: context)
      let ann = try #require(accounts.first)
      #expect(accounts.count == 1)
      #expect(ann.orders.allSatisfy { $0.account === ann })
      #expect(ann.groups.allSatisfy { $0.members == [ann] })
      let watched = try Shop.Watch.all(in: context).map { $0.watched === ann }
      let groups = ann.groups.compactMap(\.title).sorted().joined(separator: "+")
      return "\(ann.name) \(ann.age) \(ann.orders.map(\.number).sorted()) \(groups) "
        + "\(ann.card?.digits ?? 0) \(watched)"
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theErrorNamesTheRowThatHasTheValues(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      let ann = newAnn(context)
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      let conflict = try #require(error.constraintConflicts.first)
      #expect(conflict.constraint == ["email"])
      #expect(conflict.constraintValues == ["email": "ann@x"])
      #expect(conflict.databaseSnapshot?["name"] == "Ann")
      #expect(conflict.conflictingObjectIDs == [ann.objectID])
      #expect(conflict.conflictingSnapshots.first?["name"] == "Anna")
      #expect(context.hasChanges)
      #expect(!"\(error)".contains("ann@x"))
    }
  }

  @Test(arguments: StoreKind.allCases, [false, true])
  func aNewObjectBecomesTheStoredOne(in kind: StoreKind, isKnown: Bool) throws {
    let expectations: [(MergePolicy, String)] = [
      (.objectTrump, "Anna 40 [1, 2] new+old 1 [true]"),
      (.overwrite, "Anna 0 [1, 2] new+old 0 [true]"),
      (.storeTrump, "Ann 40 [1, 2] new+old 1 [true]"),
      (.rollback, "Ann 40 [1] old 1 [true]"),
    ]
    for (policy, expected) in expectations {
      let stack = try stack(kind)
      try stack.newContext().performAndWait { context in
        context.mergePolicy = policy
        let known = isKnown ? try Account.first(in: context) : nil
        let ann = newAnn(context)
        try context.save()
        #expect(!context.hasChanges)
        let survivor = try #require(try Account.first(where: \.email == "ann@x", in: context))
        #expect(survivor === (known ?? ann))
        #expect(try Shop.Watch.first(in: context)?.watched === survivor)
        #expect(survivor.orders.contains { $0.number == 1 })
      }
      #expect(try summary(stack) == expected)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func newObjectsThatAgreeBecomeOne(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      context.mergePolicy = .objectTrump
      for number in 0..<6 {
        let account = Account.create(in: context)
        (account.email, account.age) = ("\(number % 2)@x", number)
        let order = Order.create(in: context)
        (order.number, order.account) = (number, account)
      }
      try context.save()
      let found = try Account.all(where: \.email != "ann@x", sortedBy: "email", in: context)
      #expect(found.map(\.age) == [4, 5])
      #expect(found.map { $0.orders.map(\.number).sorted() } == [[0, 2, 4], [1, 3, 5]])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func twoStoredObjectsAreNeverMadeOne(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      let bob = Account.create(in: context)
      (bob.email, bob.age) = ("bob@x", 7)
      try context.save()
      for policy in [MergePolicy.error, .objectTrump, .overwrite] {
        context.mergePolicy = policy
        bob.email = "ann@x"
        #expect(throws: StoreError.self) { try context.save() }
      }
      context.mergePolicy = .storeTrump
      bob.age = 8
      try context.save()
      #expect(bob.email == "bob@x")
      #expect(bob.age == 8)
      (bob.email, bob.age, context.mergePolicy) = ("ann@x", 9, .rollback)
      try context.save()
      #expect(bob.email == "bob@x")
      #expect(bob.age == 8)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func childrenMeetTheStoreWhenTheirParentSaves(in kind: StoreKind) throws {
    let stack = try stack(kind)
    let parent = stack.newContext()
    try stack.newChild(of: parent).performAndWait { child in
      _ = newAnn(child)
      try child.save()
    }
    try parent.performAndWait { context in
      #expect(context.hasChanges)
      context.mergePolicy = .objectTrump
      try context.save()
    }
    #expect(try summary(stack) == "Anna 40 [1, 2] new+old 1 [true]")
  }

  @Test(arguments: StoreKind.allCases)
  func manyValuesAreTakenAtOnce(in kind: StoreKind) throws {
    let stack = try stack(kind)
    func importAll(_ age: Int) throws {
      try stack.newContext().performAndWait { context in
        context.mergePolicy = .objectTrump
        for number in 0..<700 {
          let account = Account.create(in: context)
          (account.email, account.age) = ("\(number)@x", age + number)
        }
        try context.save()
      }
    }
    try importAll(1000)
    try importAll(2000)
    let found = try stack.newContext().performAndWait { context in
      [
        try Account.count(in: context), try Account.min(\.age, in: context) ?? 0,
        try Account.count(where: \.age >= 2000, in: context),
      ]
    }
    #expect(found == [701, 40, 700])
  }
}
