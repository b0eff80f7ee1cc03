// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Attributes whose values lie in files, as objects show them: read when they are touched, and right
/// through changes, conflicts, undo and nesting.
@Suite struct LargeAttributeTests {
  private let folder: TemporaryFolder
  private let large = Data(repeating: 7, count: 300_000)
  private let other = Data(repeating: 8, count: 300_000)

  init() throws { folder = try TemporaryFolder() }

  private var values: URL { folder.url.appendingPathComponent(".kinds_SUPPORT/_EXTERNAL_DATA") }

  private func stack() throws -> DataStack {
    let model = try ManagedObjectModel([Kinds.self])
    let url = folder.url.appendingPathComponent("kinds.sqlite")
    return DataStack(store: try SQLiteStore(url: url, model: model), classes: [Kinds.self])
  }

  /// A stack whose store holds some objects with large values, and no context any of them.
  private func filled(_ count: Int = 1) throws -> DataStack {
    let stack = try stack()
    try stack.save { context in
      for number in 0..<count {
        let object = Kinds.create(in: context)
        (object.number, object.data) = (number, large)
      }
    }
    _ = stack.root.commit(.immediate)
    return stack
  }

  private func kinds(_ context: ManagedObjectContext) throws -> [Kinds] {
    try Kinds.all(sortedBy: \.number, in: context)
  }

  @Test func aFileThatIsGoneIsAFailureWhenItsValueIsTouchedAndNotBefore() throws {
    let stack = try filled(3)
    try FileManager.default.removeItem(at: values)
    try stack.newContext().performAndWait { context in
      let all = try kinds(context)
      #expect(all.map(\.number) == [0, 1, 2])
      #expect(context.takeFailures().isEmpty)
      #expect(try Kinds.count(where: \.data == nil, in: context) == 0)
      #expect(all[0].data == nil)
      guard
        case .unreadable(let id, "data", let error)? = context.takeFailures().first as? ContextError
      else {
        Issue.record("reading a value that is gone went unnoticed")
        return
      }
      #expect(id == all[0].objectID)
      #expect(error.code == .corrupt)
      // What is written is not read.
      all[0].data = other
      all[1].number = 9
      try context.save()
      #expect(all[0].data == other)
    }
  }

  @Test func predicatesInMemoryAskWhetherThereIsAValueWithoutReadingIt() throws {
    let stack = try filled(1)
    try stack.newContext().performAndWait { context in
      try kinds(context)[0].number = 5
      try FileManager.default.removeItem(at: values)
      #expect(try Kinds.all(where: \.data != nil, in: context).count == 1)
      #expect(try Kinds.all(where: \.data == nil, in: context).count == 0)
      #expect(throws: (any Error).self) {
        try Kinds.all(where: \.data == other, in: context)
      }
    }
  }

  /// From 64 changes on a fetch looks them up by value; the values of these can not be read.
  @Test(arguments: [1, 70])
  func aChangedObjectWhoseValueCanNotBeReadFailsTheFetch(changes: Int) throws {
    let stack = try filled(changes)
    try stack.newContext().performAndWait { context in
      for object in try kinds(context) { object.number += 1000 }
      try FileManager.default.removeItem(at: values)
      // The store compares no value, since its rows still have their former numbers.
      let predicate = FetchPredicate.and([
        FetchPredicate.compare("number", .greaterOrEqual, 1000), .equals("data", other),
      ])
      #expect(throws: (any Error).self) {
        try Kinds.all(where: predicate, sortedBy: \.number, in: context)
      }
    }
  }

  @Test func settingTheSameBytesChangesNothing() throws {
    let stack = try filled()
    try stack.newContext().performAndWait { context in
      let object = try kinds(context)[0]
      object.data = large
      #expect(!context.hasChanges)
      object.data = other
      #expect(object.hasPersistentChangedValues)
      #expect(object.data == other)
      #expect(object.committedValues(forKeys: ["data"])["data"] == .data(large))
      object.data = large
      #expect(!object.hasPersistentChangedValues)
      object.data = nil
      #expect(object.data == nil)
      #expect(object.hasPersistentChangedValues)
      try context.save()
      #expect(object.data == nil)
    }
  }

  @Test func undoAndRedoBringLargeValuesBack() throws {
    let stack = try filled()
    try stack.newContext().performAndWait { context in
      let undo = ContextUndoManager()
      context.undoManager = undo
      let object = try kinds(context)[0]
      object.data = other
      context.processPendingChanges()
      try context.save()
      _ = stack.root.commit(.immediate)
      undo.undo()
      #expect(object.data == large)
      try context.save()
      undo.redo()
      #expect(object.data == other)
      undo.undo()
      try context.save()
    }
    try stack.store.close()
    let again = try self.stack()
    #expect(try again.newContext().performAndWait { try kinds($0)[0].data } == large)
    #expect(try FileManager.default.contentsOfDirectory(atPath: values.path).count == 1)
  }

  @Test func nestedContextsShowAndSaveLargeValues() throws {
    let stack = try filled(2)
    let queue = stack.newContext()
    try queue.performAndWait { parent in
      let object = try kinds(parent)[0]
      object.number = 4
      try stack.newChild(of: queue).performAndWait { child in
        let copy = try #require(try Kinds.first(where: \.number == 4, in: child))
        #expect(copy.data == large)
        copy.data = other
        let small = Kinds.create(in: child)
        (small.number, small.data) = (11, Data([1, 2]))
        let new = Kinds.create(in: child)
        (new.number, new.data) = (12, other)
        try child.save()
      }
      #expect(object.data == other)
      #expect(try Kinds.first(where: \.number == 11, in: parent)?.data == Data([1, 2]))
      #expect(try Kinds.first(where: \.number == 12, in: parent)?.data == other)
      try parent.save()
    }
    let found = try stack.newContext().performAndWait { try kinds($0).map(\.data) }
    #expect(found == [large, other, Data([1, 2]), other])
  }

  @Test(arguments: [true, false])
  func conflictsKeepTheRightValue(objectWins: Bool) throws {
    let stack = try filled()
    let mine = Data(repeating: 9, count: 200_000)
    try stack.newContext().performAndWait { context in
      context.mergePolicy = objectWins ? .objectTrump : .storeTrump
      context.automaticallyMergesChangesFromParent = false
      let object = try kinds(context)[0]
      object.data = mine
      try stack.save { try kinds($0)[0].data = other }
      try context.save()
      #expect(object.data == (objectWins ? mine : other))
    }
    let found = try stack.newContext().performAndWait { try kinds($0)[0].data }
    #expect(found == (objectWins ? mine : other))
  }

  @Test func aConflictShowsTheLargeValuesOfBothSides() throws {
    let stack = try filled()
    try stack.newContext().performAndWait { context in
      let object = try kinds(context)[0]
      context.automaticallyMergesChangesFromParent = false
      object.number = 3
      try stack.save { try kinds($0)[0].data = other }
      do {
        try context.save()
        Issue.record("a conflict went unnoticed")
      } catch let error as StoreError {
        let conflict = (error.underlying as? SaveConflicts)?.merges.first
        #expect(conflict?.cachedSnapshot?["data"] == .data(large))
        #expect(conflict?.persistedSnapshot?["data"] == .data(other))
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func largeValuesAreTheSameInEveryStore(in kind: StoreKind) throws {
    let stack = DataStack(
      store: try kind.store(try ManagedObjectModel([Kinds.self])), classes: [Kinds.self])
    try stack.save { context in
      for (number, data) in [large, Data(), Data([1]), nil].enumerated() {
        let object = Kinds.create(in: context)
        (object.number, object.data) = (number, data)
      }
    }
    try stack.newContext().performAndWait { context in
      let all = try kinds(context)
      #expect(all.map(\.data) == [large, Data(), Data([1]), nil])
      #expect(all[1].value(forKey: "data") == .data(Data()))
      let found = try Kinds.all(where: \.data == large, in: context)
      #expect(found.map(\.number) == [0])
    }
  }

  @Test func aValueSetAgainAndAgainDoesNotFillItsPage() throws {
    let stack = try stack()
    try stack.newContext().performAndWait { context in
      let first = Kinds.create(in: context)
      let second = Kinds.create(in: context)
      try context.save()
      let new = Kinds.create(in: context)
      second.number = 2
      for round in 0..<24 {
        let text = String(repeating: Character(Unicode.Scalar(UInt8(65 + round))), count: 8 << 20)
        (first.text, new.text) = (text, text)
        #expect(first.text?.utf8.count == 8 << 20)
        #expect(new.text?.first == text.first)
      }
      (first.number, new.number) = (1, 3)
      try context.save()
      #expect(try kinds(context).map(\.number) == [1, 2, 3])
    }
    let found = try stack.newContext().performAndWait { try kinds($0).map { $0.text?.first } }
    #expect(found == ["X", nil, "X"])
  }
}
