// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Testing

@testable import SporadesGraph

/// A save inside a save of the same context would never end. It is refused, and the save around it ends.
@Suite struct SavingInHooksTests {
  @Test(
    arguments: StoreKind.atEveryDepth, ["willSave", "validateForInsert"])
  func aSaveBeforeTheEndFailsTheSaveAroundIt(in kind: StoreKind, hook: String) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      var inner: (any Error)?
      ann.hears = { heard in
        guard heard == hook else { return }
        do { try context.save() } catch { inner = error }
      }
      let outer = #expect(throws: ContextError.self) { try context.save() }
      for error in [inner as? ContextError, outer] {
        guard case .savedInSave? = error else {
          Issue.record("\(error as Any)")
          continue
        }
      }
      ann.hears = nil
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aSaveInDidSaveIsRefusedAndTheSaveIsKept(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      var inner: [any Error] = []
      ann.hears = { [unowned ann] heard in
        guard heard == "didSave" else { return }
        ann.level += 1
        do { try context.save() } catch { inner.append(error) }
      }
      try context.save()
      #expect(inner.count == 1)
      #expect(context.hasChanges)
      ann.hears = nil
      try context.save()
      #expect(ann.level == 2)
    }
  }

  @Test(arguments: ["willSave", "didSave"])
  func aBatchInAHookIsRefused(hook: String) throws {
    try StoreKind.memory.witnesses().newContext().performAndWait { context in
      let ann = Witness.make("ann", in: context)
      var inner: (any Error)?
      ann.hears = { heard in
        guard heard == hook else { return }
        do { try context.execute(Witness.request.delete().skippingHooks()) } catch { inner = error }
      }
      if hook == "willSave" {
        #expect(throws: ContextError.self) { try context.save() }
      } else {
        try context.save()
      }
      guard case .savedInSave? = inner as? ContextError else {
        Issue.record("\(inner as Any)")
        return
      }
    }
  }

  @Test(arguments: ["willSave", "validateForInsert", "didSave"])
  func aRollbackOrResetInAHookEnds(hook: String) throws {
    for resets in [false, true] {
      let stack = try StoreKind.memory.witnesses()
      try stack.newContext().performAndWait { context in
        let objects = (1...3).map { Witness.make("\($0)", in: context) }
        objects[0].hears = { heard in
          guard heard == hook else { return }
          if resets { context.reset() } else { context.rollback() }
        }
        try context.save()
        #expect(!context.hasChanges)
      }
    }
  }

  @Test func observersCanNotSaveTheirContext() throws {
    try StoreKind.memory.witnesses().newContext().performAndWait { context in
      var refused: [ContextNotification.Name] = []
      let observation = context.observe { change in
        guard change.name == .willSave || change.name == .didSave else { return }
        do { try context.save() } catch { refused.append(change.name) }
      }
      _ = Witness.make("ann", in: context)
      #expect(throws: ContextError.self) { try context.save() }
      #expect(refused == [.willSave])
      withExtendedLifetime(observation) {}
    }
  }

  @Test func aWriteWhoseObjectsSaveFails() throws {
    let stack = try StoreKind.memory.witnesses()
    #expect(throws: ContextError.self) {
      _ = try stack.write(name: nil, durability: .eventual) { context in
        let ann = Witness.make("ann", in: context)
        ann.hears = { [unowned ann] heard in
          if heard == "willSave" { try? ann.managedObjectContext?.save() }
        }
      }
    }
    #expect(try stack.newContext().performAndWait { try Witness.count(in: $0) } == 0)
  }

  @Test func aStagingContextIsReleasedWithoutAWord() throws {
    let stack = try StoreKind.memory.witnesses()
    #expect(throws: StoreError.self) {
      _ = try stack.write(name: nil, durability: .eventual) { context in
        _ = Witness.make("ann", in: context)
        try context.save()
        let staging = try #require(context.staging)
        #expect(staging.hasChanges && staging.subjectOfLostChanges == nil)
        throw StoreError(.io, "The block fails.")
      }
    }
  }
}
