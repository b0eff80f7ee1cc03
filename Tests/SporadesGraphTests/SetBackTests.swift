// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A value that was changed and then changed back is no change for the store, nor for others.
@Suite struct SetBackTests {
  /// Ways to change something of Ann and to change it back.
  enum Change: CaseIterable, Sendable {
    case text, number, element, toOne, oneToOne, members, links, orderedMembers, orderedLinks
    case order, transient

    func make(_ ann: Person, _ context: ManagedObjectContext) throws {
      let bob = try Person.named("Bob", in: context)
      switch self {
      case .text: (ann.name, ann.name) = ("q", "Ann")
      case .number: (ann.age, ann.age) = (7, 1)
      case .element:
        ann.home?.city = "q"
        ann.home?.city = "Bonn"
      case .toOne: (ann.parent, ann.parent) = (nil, bob)
      case .oneToOne:
        ann.badge = nil
        ann.badge = try Badge.first(in: context)
      case .members:
        let dogs = ann.dogs
        (ann.dogs, ann.dogs) = ([], dogs)
      case .links: (ann.friends, ann.friends) = ([], [bob])
      case .orderedMembers:
        let shelf = ann.shelf
        ann.shelf.removeFirst()
        ann.shelf = shelf
      case .orderedLinks:
        let reads = ann.reads
        ann.reads.removeFirst()
        ann.reads = reads
      case .order:
        ann.shelf.reverse()
        ann.shelf.reverse()
        ann.reads.reverse()
        ann.reads.reverse()
      case .transient:
        ann.style = .plain
        ann.age = 9
        ann.age = 1
      }
    }
  }

  private func stack(_ store: any PersistentStore) throws -> DataStack {
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let bob = Person.make("Bob", in: context)
      let ann = Person.make("Ann", age: 1, in: context)
      ann.home = Home(city: "Bonn")
      ann.parent = bob
      ann.friends = [bob]
      ann.badge = Badge.create(in: context)
      ann.dogs = [Dog.create(in: context), Dog.create(in: context)]
      ann.shelf = Book.make("ab", in: context)
      ann.reads = Book.make("cd", in: context)
      try context.save()
    }
    return stack
  }

  @Test(arguments: StoreKind.allCases, Change.allCases)
  func nothingIsWritten(in kind: StoreKind, change: Change) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = try stack(store)
    let before = store.lastSave
    try stack.newContext().performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      let savedAt = ann.savedAt
      try change.make(ann, context)
      #expect(context.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
      #expect(store.lastSave === before)
      #expect(ann.savedAt == savedAt)
      // The next change is one.
      ann.age = 50
      try context.save()
      #expect(store.lastSave !== before)
      #expect(store.lastSave?.updated.map(\.page.count) == [1])
      #expect(ann.shelf.titles == "ab" && ann.reads.titles == "cd")
    }
    try stack.newContext().performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      #expect(ann.age == 50 && ann.shelf.titles == "ab" && ann.reads.titles == "cd")
      #expect(ann.dogs.count == 2 && ann.friends.count == 1 && ann.badge != nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func besideAnotherObjectsChangeOnlyThatOneIsWritten(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = try stack(store)
    try stack.newContext().performAndWait { context in
      let (ann, bob) = (
        try Person.named("Ann", in: context), try Person.named("Bob", in: context)
      )
      (ann.age, ann.age) = (7, 1)
      bob.age = 3
      try context.save()
      #expect(store.lastSave?.keys == [bob.objectID].map(\.key))
      #expect(ann.age == 1 && bob.age == 3)
    }
  }

  @Test func theHistoryHasNoTransaction() throws {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(
      url: folder.url.appendingPathComponent("people.sqlite"), model: People.model,
      options: options)
    let stack = try stack(store)
    try stack.newContext().performAndWait { context in
      func count() throws -> Int {
        try context.execute(.fetchHistory(after: nil as PersistentHistoryToken?)).transactions.count
      }
      let before = try count()
      let ann = try Person.named("Ann", in: context)
      for change in Change.allCases { try change.make(ann, context) }
      try context.save()
      #expect(try count() == before)
      ann.age = 9
      try context.save()
      #expect(try count() == before + 1)
    }
    try store.close()
  }

  // MARK: - As in Core Data

  @Test(arguments: StoreKind.allCases)
  func theObjectCountsAsUpdatedAndItsHooksRun(in kind: StoreKind) throws {
    let stack = try stack(kind.store(People.model))
    try stack.newContext().performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      var told: [String] = []
      let observation = context.observe { change in
        told.append("\(change.name) \(change.updatedObjects.contains(ann))")
      }
      (ann.name, ann.name) = ("q", "Ann")
      #expect(ann.isUpdated && ann.hasChanges && context.updatedObjects == [ann])
      #expect(ann.changedValues().isEmpty && !ann.hasPersistentChangedValues)
      try context.save()
      #expect(!ann.isUpdated && !context.hasChanges)
      #expect(told.contains { $0.hasPrefix("willSave true") })
      #expect(told.contains { $0.hasPrefix("didSave true") })
      observation.end()
    }
  }

  // MARK: - Beside others

  /// Where the context is that sets a value back.
  enum Place: CaseIterable, Sendable { case overTheStore, child, grandchild }

  private func queue(_ place: Place, _ stack: DataStack) -> ContextQueue {
    let depth = [Place.overTheStore: 1, .child: 2, .grandchild: 3][place] ?? 1
    let chain = stack.chain(depth: depth)
    for queue in chain {
      queue.performAndWait { $0.automaticallyMergesChangesFromParent = true }
    }
    return chain[depth - 1]
  }

  private func theirs(_ stack: DataStack) throws {
    try stack.newContext().performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      (ann.age, ann.home, ann.parent, ann.badge) = (60, Home(city: "theirs"), nil, nil)
      ann.friends = []
      try context.save()
    }
  }

  private func expectTheirs(_ ann: Person) {
    #expect(ann.age == 60)
    #expect(ann.home?.city == "theirs")
    #expect(ann.parent == nil && ann.badge == nil && ann.friends.isEmpty)
  }

  @Test(arguments: Place.allCases, Change.allCases)
  func theSavedValueOfOthersIsShownAndStays(at place: Place, change: Change) throws {
    for kind in StoreKind.allCases {
      let stack = try stack(kind.store(People.model))
      let queue = queue(place, stack)
      let ann = try queue.performAndWait { context in
        let ann = try Person.named("Ann", in: context)
        try change.make(ann, context)
        return ann
      }
      try theirs(stack)
      try queue.performAndWait { context in
        expectTheirs(ann)
        try context.save()
        expectTheirs(ann)
      }
      try stack.newContext().performAndWait { expectTheirs(try Person.named("Ann", in: $0)) }
    }
  }

  @Test(arguments: StoreKind.allCases, Change.allCases)
  func aContextThatDoesNotMergeHasNoConflict(in kind: StoreKind, change: Change) throws {
    let stack = try stack(kind.store(People.model))
    let queue = stack.newContext()
    let ann = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let ann = try Person.named("Ann", in: context)
      try change.make(ann, context)
      return ann
    }
    try theirs(stack)
    try queue.performAndWait { context in
      context.refresh(ann, mergeChanges: true)
      expectTheirs(ann)
      try context.save()
    }
    try stack.newContext().performAndWait { expectTheirs(try Person.named("Ann", in: $0)) }
    let other = stack.newContext()
    let again = try other.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let ann = try Person.named("Ann", in: context)
      (ann.age, ann.age) = (7, 60)
      return ann
    }
    try stack.saveBeside(again.objectID) { $0.age = 61 }
    try other.performAndWait { try $0.save() }
    try stack.newContext().performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      #expect(ann.age == 61)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aWatchedObjectIsComparedStill(in kind: StoreKind) throws {
    let stack = try stack(kind.store(People.model))
    let queue = stack.newContext()
    let ann = try queue.performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      let ann = try Person.named("Ann", in: context)
      context.detectConflicts(for: ann)
      (ann.age, ann.age) = (7, 1)
      return ann
    }
    try theirs(stack)
    queue.performAndWait { context in
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.mergeConflicts.map(\.objectID) == [ann.objectID])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func undoneChangesAreNone(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = try stack(store)
    let before = store.lastSave
    let queue = stack.newContext()
    let ann = try queue.performAndWait { context in
      context.undoManager = ContextUndoManager()
      let ann = try Person.named("Ann", in: context)
      context.undoManager?.beginUndoGrouping()
      ann.age = 7
      ann.home?.city = "q"
      ann.badge = nil
      context.undoManager?.endUndoGrouping()
      return ann
    }
    try queue.performAndWait { context in
      context.undo()
      try context.save()
      #expect(store.lastSave === before)
      ann.age = 8
      ann.age = 1
    }
    try theirs(stack)
    queue.performAndWait { _ in expectTheirs(ann) }
  }

  @Test(arguments: StoreKind.allCases)
  func aChildThatSetsBackWhatItSavedLeavesNothingToWrite(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = try stack(store)
    let before = store.lastSave
    let top = stack.newContext()
    let child = stack.newChild(of: top)
    for (age, city) in [(7, "q"), (1, "Bonn")] {
      try child.performAndWait { context in
        let ann = try Person.named("Ann", in: context)
        ann.age = age
        ann.home?.city = city
        try context.save()
      }
    }
    try top.performAndWait { context in
      #expect(context.hasChanges)
      try context.save()
    }
    #expect(store.lastSave === before)
  }
}
