// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The members of relationships after others changed them, too.
@Suite struct MembershipTests {
  private struct IDs {
    let ann, bob, cid, part: ManagedObjectID
  }

  private func makeParts(_ stack: DataStack) throws -> IDs {
    try stack.newContext().performAndWait { context in
      let owners = ["ann", "bob", "cid"].map { Witness.make($0, in: context) }
      let part = Witness.make("part", in: context)
      part.parent = owners[0]
      try context.save()
      return IDs(
        ann: owners[0].objectID, bob: owners[1].objectID, cid: owners[2].objectID,
        part: part.objectID)
    }
  }

  private func witness(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws -> Witness {
    try #require(try context.existingObject(with: id) as? Witness)
  }

  @Test(arguments: StoreKind.allCases)
  func aMemberThatAChildBringsBackIsAMemberAgain(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { context in
      context.mergePolicy = .objectTrump
      try witness(ids.part, context).level = 7
    }
    try parent.performAndWait { context in
      context.delete(try witness(ids.part, context))
      #expect(try witness(ids.ann, context).parts.isEmpty)
    }
    try child.performAndWait { context in
      try context.save()
      #expect(try witness(ids.ann, context).parts.map(\.level) == [7])
    }
    try parent.performAndWait { context in
      let ann = try witness(ids.ann, context)
      #expect(ann.parts.map(\.level) == [7])
      #expect(!ann.isUpdated)
      try context.save()
      #expect(ann.parts.map(\.level) == [7])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aMemberThatAPolicyBringsBackIsAMemberInTheSameSave(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.mergePolicy = .objectTrump
      let (ann, part) = (try witness(ids.ann, context), try witness(ids.part, context))
      part.level = 7
      part.hears = { if $0 == "validateForInsert" { #expect(ann.parts == [part]) } }
      try stack.save { other in other.delete(try witness(ids.part, other)) }
      try context.save()
      #expect(ann.parts.map(\.level) == [7])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aMemberWithoutInverseThatAChildBringsBackIsAMemberAgain(in kind: StoreKind) throws {
    let stack = try kind.people()
    try stack.save { context in Person.make("Ann", in: context).notes = [Note.create(in: context)] }
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    try child.performAndWait { context in
      context.mergePolicy = .objectTrump
      try Note.first(in: context)?.text = "new"
    }
    try parent.performAndWait { context in
      let note = try #require(try Note.first(in: context))
      context.delete(note)
      #expect(try Person.named("Ann", in: context).notes.isEmpty)
    }
    try child.performAndWait { try $0.save() }
    try parent.performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      #expect(ann.notes.map(\.text) == ["new"])
      #expect(!ann.isUpdated)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aMemberThatWasAddedAndDeletedIsNoneOfTheSavedOnes(in kind: StoreKind) throws {
    try kind.people().context(kind).performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Person.make("Bob", in: context))
      try context.save()
      #expect(ann.friends.isEmpty)
      ann.friends = [bob]
      context.delete(bob)
      #expect(ann.committedValues(forKeys: ["friends"]) == ["friends": .list([])])
      #expect(ann.changedValues().isEmpty)
    }
  }

  @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
  func theOwnerThatOthersMovedAMemberToIsToldOfItsLoss(_ policy: MergePolicy) throws {
    let stack = try StoreKind.sqlite.witnesses()
    let ids = try makeParts(stack)
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.mergePolicy = policy
      let log = Log()
      let owners = try [ids.ann, ids.bob, ids.cid].map { try witness($0, context) }
      for owner in owners {
        owner.hears = { [unowned owner] in if $0 == "didSave" { log.note(owner.name) } }
      }
      let part = try witness(ids.part, context)
      part.parent = owners[1]
      try stack.save { other in
        try witness(ids.part, other).parent = try witness(ids.cid, other)
      }
      try context.save()
      let isOurs = if case .objectTrump = policy { true } else { false }
      #expect(owners.map(\.parts.count) == (isOurs ? [0, 1, 0] : [0, 0, 1]))
      #expect(Set(log.take()) == (isOurs ? ["bob", "cid"] : []))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aMergedMoveChangesTheOwnerThatOthersMovedTheMemberTo(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    let queue = stack.newContext()
    try queue.performAndWait { context in
      try witness(ids.part, context).parent = try witness(ids.bob, context)
    }
    try stack.save { other in
      try witness(ids.part, other).parent = try witness(ids.cid, other)
    }
    try queue.performAndWait { context in
      let changed = Set(context.updatedObjects.map(\.objectID))
      #expect(changed == [ids.bob, ids.cid, ids.part])
      let cid = try witness(ids.cid, context)
      #expect(cid.parts.isEmpty)
      context.rollback()
      #expect(!context.hasChanges)
      #expect(cid.parts.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aMergedMoveOfADeletedMemberChangesItsPresentOwner(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    let queue = stack.newContext()
    try queue.performAndWait { context in context.delete(try witness(ids.part, context)) }
    try stack.save { other in
      try witness(ids.part, other).parent = try witness(ids.cid, other)
    }
    try queue.performAndWait { context in
      let cid = try witness(ids.cid, context)
      #expect(context.updatedObjects == [cid])
      #expect(cid.parts.isEmpty)
      context.rollback()
      #expect(!context.hasChanges)
      #expect(cid.parts.count == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aDeletionThatWinsChangesTheOwnerThatOthersMovedTheMemberTo(in kind: StoreKind) throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.mergePolicy = .objectTrump
      let log = Log()
      for id in [ids.ann, ids.cid] {
        let owner = try witness(id, context)
        owner.hears = { [unowned owner] in if $0 == "didSave" { log.note(owner.name) } }
      }
      context.delete(try witness(ids.part, context))
      try stack.save { other in
        try witness(ids.part, other).parent = try witness(ids.cid, other)
      }
      try context.save()
      #expect(log.take() == ["cid"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aListOfFaultsLosesAMemberThatAnotherProcessMoved(in kind: StoreKind) async throws {
    let stack = try kind.witnesses()
    let ids = try makeParts(stack)
    let queue = stack.newContext()
    let ann = try await queue.perform { context in
      context.automaticallyMergesChangesFromParent = false
      context.retainsRegisteredObjects = true
      let ann = try witness(ids.ann, context)
      // The relationship is in memory, and the member is a fault.
      context.refresh(try #require(ann.parts.first), mergeChanges: false)
      return ann.objectID
    }
    try stack.save { other in
      try witness(ids.part, other).parent = try witness(ids.bob, other)
    }
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ObjectIDChanges(updated: [ids.part]), into: [queue])
    try await queue.perform { context in
      let (ann, bob) = (try witness(ann, context), try witness(ids.bob, context))
      #expect(ann.parts.isEmpty)
      #expect(bob.parts.count == 1)
    }
    try stack.save { other in other.delete(try witness(ids.part, other)) }
    try await queue.perform { context in
      let part = try witness(ids.bob, context).parts.first
      context.refresh(try #require(part), mergeChanges: false)
    }
    try await ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: ObjectIDChanges(deleted: [ids.part]), into: [queue])
    try await queue.perform { context in
      let bob = try witness(ids.bob, context)
      #expect(bob.parts.isEmpty)
    }
  }
}
