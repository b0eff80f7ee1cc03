// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

private struct Mine: Error {}

// A save inside a block belongs to the block's write alone.
struct SavingInBlocksTests {
  private var (double, service) = StoreDouble.withService()
  private let calls = Calls()

  @Test func aSaveIsDiscardedWithItsWrite() throws {
    try service.writeSync { Member.create(in: $0).firstname = "Ann" }.get()
    let chain = service.writeSync(
      { context in
        let bob = Member.create(in: context)
        bob.firstname = "Bob"
        Member.first(where: \.firstname == "Ann", in: context)?.lastname = "Lee"
        try context.save()
        Member.first(where: \.firstname == "Ann", in: context)?.delete(in: context)
        try context.save()
        throw Mine()
      }, completion: calls.completion)
    #expect(chain.failure?.kind == "block")
    #expect(calls.wait())
    #expect(double.count(of: .execute) == 1)
    let names = try service.readValue {
      try Member.all(in: $0).map { "\($0.firstname ?? "") \($0.lastname ?? "")" }
    }
    #expect(names == ["Ann "])
    #expect(service.flush().isComplete)
    #expect(service.memberCount == 1)
  }

  @Test func aSavedContextHasNoChangesAndShowsWhatItSaved() throws {
    let ids = Guarded<[ManagedObjectID]>([])
    try service.writeSync { context in
      let ann = Member.create(in: context)
      ann.firstname = "Ann"
      ann.badge = "1"
      try context.save()
      #expect(!context.hasChanges)
      #expect(!ann.objectID.isTemporaryID)
      #expect(!ann.isInserted)
      #expect(Member.all(in: context).map(\.firstname) == ["Ann"])
      #expect(Member.first(where: \.badge == "1", in: context) === ann)
      #expect(
        try Member.count(where: \.firstname == "Ann", in: context.managedObjectContext) == 1)
      #expect(service.memberCount == 0)
      let animal = Animal.create(in: context)
      animal.owner = ann
      ann.lastname = "Lee"
      try context.save()
      #expect(ann.animals == [animal])
      #expect(!context.hasChanges)
      context.refresh(ann, mergeChanges: false)
      #expect(ann.lastname == "Lee")
      #expect(ann.animals.count == 1)
      let bob = Member.create(in: context)
      bob.firstname = "Bob"
      try context.save()
      bob.delete(in: context)
      ids.withLock { $0 = [ann.objectID] }
    }.get()
    // The store executes one save, after the end of the block.
    #expect(double.count(of: .execute) == 1)
    let found = try service.readValue { context in
      try Member.all(in: context).map { ($0.objectID, $0.lastname, $0.animals.count) }
    }
    #expect(found.map(\.0) == ids.withLock(\.self))
    #expect(found.map(\.1) == ["Lee"] && found.map(\.2) == [1])
  }

  @Test func aSaveThrowsWhatValidationFindsAndTheBlockMayGoOn() throws {
    try service.writeSync { context in
      Member.create(in: context).firstname = "Ann"
      try context.save()
      let bob = Member.create(in: context)
      bob.nickname = "much too long"
      #expect(throws: ValidationError.self) { try context.save() }
      #expect(context.hasChanges)
      bob.nickname = "short"
    }.get()
    #expect(service.memberCount == 2)
    let chain = service.writeSync { context in
      Member.create(in: context).firstname = "Cid"
      try context.save()
      Member.create(in: context).nickname = "much too long"
    }
    #expect(chain.failure?.kind == "validation")
    #expect(service.memberCount == 2)
  }

  @Test func whatTheStoreRefusesDiscardsTheWholeWrite() throws {
    try service.writeSync { Member.create(in: $0).badge = "1" }.get()
    let chain = service.writeSync { context in
      Member.create(in: context).firstname = "Bob"
      try context.save()
      Member.create(in: context).badge = "1"
      try context.save()
    }
    #expect(chain.failure?.kind == "store")
    #expect(service.memberCount == 1)
  }

  @Test func nestedWritesAreDiscardedWithWhatTheySaved() throws {
    let service = service
    let chain = service.writeSync { context in
      Member.create(in: context).firstname = "outer"
      try context.save()
      let inner = service.writeSync { inner in
        Member.create(in: inner).firstname = "inner"
        try inner.save()
        #expect(Member.count(in: inner) == 2)
        throw Mine()
      }
      #expect(inner.failure != nil)
      #expect(Member.count(in: context) == 1)
      try service.writeSync { inner in
        Member.create(in: inner).firstname = "second"
        try inner.save()
      }.get()
      #expect(Member.count(in: context) == 2)
      try context.save()
    }
    #expect(chain.failure == nil)
    #expect(
      try service.readValue { try Member.all(sortedBy: \.firstname, in: $0).map(\.firstname) }
        == ["outer", "second"])
    service.writeSync { _ in
      try service.writeSync { inner in
        Member.create(in: inner)
        try inner.save()
      }.get()
      throw Mine()
    }
    #expect(service.memberCount == 2)
  }

  @Test func asynchronousWritesAreAllOrNothingToo() async throws {
    await #expect(throws: DALError.self) {
      try await service.write { context in
        Member.create(in: context)
        try context.save()
        throw Mine()
      }
    }
    #expect(service.memberCount == 0)
    let id = try await service.write { context in
      let ann = Member.create(in: context)
      try context.save()
      return ann.objectID
    }
    #expect(try service.readValue { try $0.existingObject(with: id).objectID } == id)
  }

  @Test func authorAndDurabilityAreThoseOfTheWrite() throws {
    try service.writeSync(durability: .immediate) { context in
      context.transactionAuthor = "importer"
      Member.create(in: context)
      try context.save()
    }.get()
    #expect(double.lastSave?.author == "importer")
    #expect(double.promises == [.immediate])
    #expect(service.metrics.commits.rowsWaiting == 0)
  }

  @Test func aReadSavesNothing() throws {
    let chain = service.read { context in
      Member.create(in: context)
      try context.save()
    }
    #expect(chain.failure?.kind == "mutationInRead")
    #expect(service.errors.map(\.kind) == ["mutationInRead"])
    #expect(double.count(of: .execute) == 0)
    #expect(service.memberCount == 0)
    // A save without changes is allowed.
    #expect(service.read { try $0.save() }.failure == nil)
  }

  @Test func aPinnedContextSavesIntoItsWrite() throws {
    let service = RecordingService.inMemory()
    try service.writeSync { Member.create(in: $0).firstname = "Ann" }.get()
    let chain = service.writeSync { context in
      try context.managedObjectContext.setQueryGeneration(from: .current)
      Member.first(in: context)?.firstname = "Bob"
      try context.save()
      #expect(Member.all(in: context).map(\.firstname) == ["Bob"])
      throw Mine()
    }
    #expect(chain.failure?.kind == "block")
    #expect(try service.readValue { try Member.all(in: $0).map(\.firstname) } == ["Ann"])
  }
}
