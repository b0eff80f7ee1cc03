// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// One context links to what another one deletes at the same time: nothing may lead nowhere.
@Suite struct LinkRaceTests {
  private struct Sides {
    let stack: DataStack
    let linker: ContextQueue
    let deleter: ContextQueue

    init(_ kind: StoreKind) throws {
      stack = try kind.bank()
      try stack.newContext().performAndWait { context in
        for number in 1...2 {
          Account.create(in: context).number = number
          Holder.create(in: context).number = number
        }
        Tag.create(in: context).name = "red"
        try context.save()
      }
      (linker, deleter) = (stack.newContext(), stack.newContext())
    }

    /// Deletes in one context inside a block of the other, which has read everything.
    func delete<Object: ManagedObject>(_ find: (ManagedObjectContext) throws -> Object) throws {
      try deleter.performAndWait { context in
        context.delete(try find(context))
        try context.save()
      }
    }

    func fresh<Output>(_ body: (ManagedObjectContext) throws -> Output) throws -> Output {
      #expect(try stack.brokenLinks() == [])
      return try stack.newContext().performAndWait(body)
    }
  }

  private static func account(_ number: Int, _ context: ManagedObjectContext) throws -> Account {
    try #require(try Account.first(where: \.number == number, in: context))
  }
  private static func holder(_ number: Int, _ context: ManagedObjectContext) throws -> Holder {
    try #require(try Holder.first(where: \.number == number, in: context))
  }

  // MARK: - The deletion comes first

  @Test(arguments: StoreKind.allCases)
  func aLinkToWhatWasDeletedIsAConflictThatNamesBoth(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.linker.performAndWait { context in
      let account = try Self.account(1, context)
      let holder = try Self.holder(1, context)
      account.holder = holder
      account.note = "mine"
      try sides.delete { try Self.holder(1, $0) }
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      #expect(error.code == .conflict([account.objectID]))
      #expect(error.mergeConflicts.map(\.objectID) == [account.objectID])
      #expect(error.mergeConflicts[0].lostReferences == ["holder": holder.objectID])
      #expect(account.note == "mine")
      #expect(account.hasChanges)
    }
    #expect(try sides.fresh { try Self.account(1, $0).note } == "")
  }

  @Test(arguments: StoreKind.allCases)
  func policiesDropTheLinkAndKeepTheRest(in kind: StoreKind) throws {
    for policy in [
      MergePolicy.storeTrump, .objectTrump, .overwrite, .custom { _ in .storeTrump },
    ] {
      let sides = try Sides(kind)
      try sides.linker.performAndWait { context in
        context.mergePolicy = policy
        let account = try Self.account(1, context)
        let new = Account.create(in: context)
        new.number = 3
        for one in [account, new] { one.holder = try Self.holder(1, context) }
        account.note = "mine"
        try sides.delete { try Self.holder(1, $0) }
        try context.save()
        #expect(account.holder == nil)
        #expect(new.holder == nil)
        #expect(!context.hasChanges)
      }
      try sides.fresh { context in
        let (old, new) = (try Self.account(1, context), try Self.account(3, context))
        #expect(old.note == "mine")
        #expect(old.holder == nil)
        #expect(new.holder == nil)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func rollbackGivesUpTheChangesOfTheLinker(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.linker.performAndWait { context in
      context.mergePolicy = .rollback
      let account = try Self.account(1, context)
      account.holder = try Self.holder(1, context)
      account.note = "mine"
      Account.create(in: context).number = 3
      try sides.delete { try Self.holder(1, $0) }
      try context.save()
      #expect(account.holder == nil)
      #expect(account.note == "")
    }
    #expect(try sides.fresh { try Self.account(3, $0).note } == "")
  }

  @Test(arguments: StoreKind.allCases)
  func newMembersOfADeletedOwnerConflictToo(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.linker.performAndWait { context in
      let account = try Self.account(1, context)
      Entry.create(in: context).account = account
      try sides.delete { try Self.account(1, $0) }
      #expect(throws: StoreError.self) { try context.save() }
      context.mergePolicy = .storeTrump
      try context.save()
    }
    #expect(try sides.fresh { try Entry.first(in: $0)?.account } == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func linksOfOneToOneAndManyToManyConflictToo(in kind: StoreKind) throws {
    for policy in [MergePolicy.error, .storeTrump, .rollback] {
      let sides = try Sides(kind)
      try sides.linker.performAndWait { context in
        context.mergePolicy = policy
        let (one, two) = (try Self.account(1, context), try Self.account(2, context))
        one.twin = two
        one.tags = [try #require(try Tag.first(in: context))]
        try sides.delete { try Self.account(2, $0) }
        try sides.deleter.performAndWait { other in
          other.delete(try #require(try Tag.first(in: other)))
          try other.save()
        }
        if case .error = policy {
          #expect(throws: StoreError.self) { try context.save() }
        } else {
          try context.save()
          #expect(one.twin == nil)
          #expect(one.tags.isEmpty)
        }
      }
      try sides.fresh { context in
        let account = try Self.account(1, context)
        #expect(account.twin == nil)
        #expect(account.tags.isEmpty)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aFaultWhoseRowIsGoneIsNoTarget(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    let id = try sides.linker.performAndWait { try Self.holder(1, $0).objectID }
    try sides.delete { try Self.holder(1, $0) }
    let late = sides.stack.newContext()
    try late.performAndWait { context in
      let account = try Self.account(1, context)
      account.holder = try context.object(with: id) as? Holder
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      #expect(error.mergeConflicts.first?.lostReferences == ["holder": id])
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(account.holder == nil)
    }
    #expect(try sides.fresh { try Self.account(1, $0).holder } == nil)
  }

  // MARK: - The link comes first

  @Test(arguments: StoreKind.allCases)
  func whatWasLinkedMeanwhileFollowsTheDeleteRules(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.deleter.performAndWait { context in
      context.delete(try Self.holder(1, context))
      context.delete(try Self.account(2, context))
      try sides.linker.performAndWait { other in
        try Self.account(1, other).holder = try Self.holder(1, other)
        Entry.create(in: other).account = try Self.account(2, other)
        try other.save()
      }
      try context.save()
    }
    try sides.fresh { context in
      let (entries, holders) = (try Entry.count(in: context), try Holder.count(in: context))
      #expect(entries == 0)
      #expect(holders == 1)
      #expect(try Self.account(1, context).holder == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDenyRuleHoldsForWhatWasLinkedMeanwhile(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.deleter.performAndWait { context in
      context.delete(try Self.holder(1, context))
      try sides.linker.performAndWait { other in
        Vault.create(in: other).keeper = try Self.holder(1, other)
        try other.save()
      }
      let error = try #require(#expect(throws: ValidationError.self) { try context.save() })
      #expect(error.failures.map(\.code) == [.relationshipDeniedDelete])
    }
    #expect(try sides.fresh { try Vault.first(in: $0)?.keeper?.number } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func linksThatAreMergedBeforeTheDeletionIsSavedFollowTheRules(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.deleter.performAndWait { context in
      context.delete(try Self.holder(1, context))
      context.delete(try Self.account(2, context))
    }
    try sides.linker.performAndWait { other in
      let account = try Self.account(1, other)
      account.holder = try Self.holder(1, other)
      account.twin = try Self.account(2, other)
      Entry.create(in: other).account = try Self.account(2, other)
      try other.save()
    }
    try sides.deleter.performAndWait { context in
      #expect(try Self.account(1, context).holder == nil)
      try context.save()
    }
    try sides.fresh { context in
      let account = try Self.account(1, context)
      #expect(account.holder == nil)
      #expect(account.twin == nil)
      #expect(try Entry.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionThatWinsAConflictTakesItsLinksAlong(in kind: StoreKind) throws {
    for policy in [MergePolicy.objectTrump, .overwrite] {
      let sides = try Sides(kind)
      try sides.deleter.performAndWait { context in
        context.mergePolicy = policy
        context.delete(try Self.account(2, context))
        try sides.linker.performAndWait { other in
          let account = try Self.account(1, other)
          account.twin = try Self.account(2, other)
          account.twin?.note = "changed"
          try other.save()
        }
        try context.save()
      }
      #expect(try sides.fresh { try Self.account(1, $0).twin } == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatIsChangedHereAndLinkedThereLosesItsLink(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.deleter.performAndWait { context in
      context.mergePolicy = .objectTrump
      try Self.account(1, context).note = "mine"
      context.delete(try Self.holder(1, context))
      try sides.linker.performAndWait { other in
        let account = try Self.account(1, other)
        account.holder = try Self.holder(1, other)
        account.balance = 5
        try other.save()
      }
      try context.save()
    }
    try sides.fresh { context in
      let account = try Self.account(1, context)
      #expect(account.holder == nil)
      #expect(account.balance == 5)
      #expect(account.note == "mine")
    }
  }

  // MARK: - One context, and contexts over contexts

  @Test(arguments: StoreKind.allCases)
  func linkingToWhatIsDeletedHereIsAFailure(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.linker.performAndWait { context in
      let holder = try Self.holder(1, context)
      context.delete(holder)
      let account = try Self.account(1, context)
      account.holder = holder
      let error = try #require(#expect(throws: ValidationError.self) { try context.save() })
      #expect(error.failures.map(\.property) == ["holder"])
      #expect(error.failures[0].code == .generic)
      account.holder = nil
      try context.save()
    }
    #expect(try sides.fresh { try Holder.count(in: $0) } == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func linkingToAnObjectThatIsGoneChangesNothingAndIsToldBySaving(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    try sides.linker.performAndWait { context in
      let holder = try Self.holder(1, context)
      let account = try Self.account(1, context)
      let tag = try #require(try Tag.first(in: context))
      context.delete(holder)
      context.delete(tag)
      try context.save()
      account.holder = holder
      account.tags = [tag]
      #expect(account.holder == nil)
      #expect(account.tags.isEmpty)
      #expect(throws: ContextError.self) { try context.save() }
      try context.save()
    }
    #expect(try sides.fresh { try Self.account(1, $0).holder } == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func aChildsLinkToWhatItsParentDeletesIsAConflict(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    let child = sides.stack.newChild(of: sides.linker)
    try child.performAndWait { context in
      let account = try Self.account(1, context)
      account.holder = try Self.holder(1, context)
      try sides.linker.performAndWait { $0.delete(try Self.holder(1, $0)) }
      let error = try #require(#expect(throws: StoreError.self) { try context.save() })
      #expect(error.mergeConflicts.map(\.objectID) == [account.objectID])
      context.mergePolicy = .storeTrump
      try context.save()
      #expect(account.holder == nil)
    }
    try sides.linker.performAndWait { try $0.save() }
    #expect(try sides.fresh { try Self.account(1, $0).holder } == nil)
  }

  /// The parent has merged the deletion, and the child has not heard of it.
  @Test(arguments: StoreKind.allCases)
  func aChildsLinkToWhatOthersDeletedIsFoundByItsParentsSave(in kind: StoreKind) throws {
    let sides = try Sides(kind)
    let child = sides.stack.newChild(of: sides.stack.newChild(of: sides.linker))
    try child.performAndWait { context in
      let account = try Self.account(1, context)
      let holder = try Self.holder(1, context)
      _ = holder.number
      try sides.delete { try Self.holder(1, $0) }
      account.holder = holder
      try? context.save()
    }
    try sides.linker.performAndWait { context in
      context.mergePolicy = .storeTrump
      try context.save()
    }
    #expect(try sides.fresh { try Self.account(1, $0).holder } == nil)
  }
}
