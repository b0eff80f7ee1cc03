// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The moments objects hear of, and what they may do at them.
@Suite struct LifecycleTests {
  @Test(arguments: StoreKind.atEveryDepth)
  func momentsComeInOrder(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let log = Log()
      let (ann, part) = (Witness.make("ann", in: context), Witness.make("part", in: context))
      part.parent = ann
      for object in [ann, part] {
        object.hears = { [unowned object] in
          log.note("\(object.primitiveValue(forKey: "level").text) \($0)")
        }
      }
      (ann.level, part.level) = (1, 2)
      try context.save()
      #expect(
        log.take() == [
          "1 willSave", "2 willSave", "1 validateForInsert", "2 validateForInsert", "1 didSave",
          "2 didSave",
        ])
      ann.level = 3
      try context.save()
      #expect(log.take() == ["3 willSave", "3 validateForUpdate", "3 didSave"])
      context.delete(ann)
      #expect(log.take() == ["3 prepareForDeletion", "2 prepareForDeletion"])
      context.delete(ann)
      #expect(log.take().isEmpty)
      try context.save()
      #expect(
        log.take() == [
          "3 willSave", "2 willSave", "3 validateForDelete", "2 validateForDelete",
          "3 didSave", "2 didSave", "3 willTurnIntoFault", "- didTurnIntoFault",
          "2 willTurnIntoFault", "- didTurnIntoFault",
        ])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func rollbackAndRefreshTellTheirObjects(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let log = Log()
      let ann = Witness.make("ann", in: context)
      try context.save()
      ann.hears = { log.note($0) }
      ann.level = 2
      context.rollback()
      #expect(log.take() == ["snapshot \(SnapshotEvents.rollback.rawValue)"])
      #expect(ann.level == 1)
      ann.level = 2
      context.refresh(ann, mergeChanges: true)
      #expect(log.take() == ["snapshot \(SnapshotEvents.refresh.rawValue)"])
      #expect(ann.level == 2)
      context.refresh(ann, mergeChanges: false)
      #expect(log.take() == ["willTurnIntoFault", "didTurnIntoFault"])
      #expect(ann.isFault)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func whatWillSaveChangesIsSaved(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      ann.hears = { [unowned ann] moment in
        guard moment == "willSave", ann.parts.isEmpty else { return }
        ann.level = 9
        ann.parts = [Witness.make("made in willSave", in: context)]
      }
      try context.save()
      #expect(!context.hasChanges)
      context.reset()
      let again = try #require(try Witness.first(where: \.name == "ann", in: context))
      #expect(again.level == 9)
      #expect(again.parts.map(\.name) == ["made in willSave"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func willSaveThatNeverEndsIsAnError(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      func spawn() {
        Witness.make("one more", in: context).hears = { if $0 == "willSave" { spawn() } }
      }
      spawn()
      let error = #expect(throws: ContextError.self) { try context.save() }
      guard case .endlessWillSave? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(context.hasChanges)
      context.rollback()
      let count = try Witness.count(in: context)
      #expect(count == 0)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func whatDidSaveChangesIsLeftForTheNextSave(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      ann.hears = { [unowned ann] in if $0 == "didSave", ann.level < 3 { ann.level += 1 } }
      try context.save()
      #expect(ann.level == 2)
      #expect(context.updatedObjects == [ann])
      try context.save()
      #expect(ann.level == 3)
      #expect(ann.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func prepareForDeletionMayKeepPartsFromGoingToo(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let (ann, kept, lost) = (
        Witness.make("ann", in: context), Witness.make("kept", in: context),
        Witness.make("lost", in: context)
      )
      ann.parts = [kept, lost]
      try context.save()
      ann.hears = { [unowned ann] in
        guard $0 == "prepareForDeletion" else { return }
        #expect(!ann.isDeleted)
        kept.parent = nil
        context.delete(ann)
      }
      context.delete(ann)
      #expect(ann.isDeleted)
      #expect(lost.isDeleted)
      #expect(!kept.isDeleted)
      try context.save()
      #expect(try Witness.all(in: context).map(\.name) == ["kept"])
    }
  }

  // MARK: - Validation

  @Test(arguments: StoreKind.atEveryDepth)
  func superThrowsWhatTheModelSaysAndForgettingItLosesNothing(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("ann", in: context)
      var asked: [String] = []
      ann.hears = { asked.append($0) }
      ann.level = -1
      #expect(codes { try context.save() } == [1620])
      #expect(asked == ["willSave"])
      #expect(codes { try ann.validateForInsert() } == [1620])
      ann.level = 0
      try context.save()
      ann.level = -1
      #expect(codes { try context.save() } == [1620])
      ann.hears = { if $0.hasPrefix("validate") { throw Refusal() } }
      #expect(codes { try context.save() } == [1550, 1620])
      ann.level = 5
      #expect(codes { try context.save() } == [1550])
      context.rollback()
      context.delete(ann)
      #expect(codes { try context.save() } == [1550])
      ann.hears = nil
      try context.save()
      #expect(try Witness.count(in: context) == 0)
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func aClassChecksItsOwnValues(in kind: StoreKind) throws {
    try kind.witnesses().context(kind).performAndWait { context in
      let ann = Witness.make("bad", in: context)
      #expect(codes { try context.save() } == [1550])
      ann.name = "good"
      try context.save()
      #expect(throws: Refusal.self) { try ann.validateValue("bad", forKey: "name") }
      #expect(codes { try ann.validateValue(-1, forKey: "level") } == [1620])
      #expect(codes { try ann.validateValue(.null, forKey: "level") } == [1570])
      #expect(codes { try ann.validateValue(3, forKey: "level") }.isEmpty)
      #expect(ann.level == 1)
      #expect(!ann.hasChanges)
    }
  }

  private func codes(_ body: () throws -> Void) -> [Int] {
    do {
      try body()
      return []
    } catch let error as ValidationError {
      return error.failures.map(\.code.rawValue).sorted()
    } catch {
      Issue.record(error)
      return []
    }
  }
}

extension Value {
  fileprivate var text: String {
    if case .integer(let number) = self { "\(number)" } else { "-" }
  }
}
