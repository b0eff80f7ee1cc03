// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesTesting
import Testing

/// A deletion is undone after links of the object were changed.
@Suite struct UndoneLinkTests {
  /// A reader who left a book, and then was deleted, comes back as one who left it.
  @Test(arguments: StoreKind.atEveryDepth, [false, true])
  func aLinkThatWasEndedBeforeADeletionIsEndedAfterIt(in kind: StoreKind, reads: Bool) throws {
    let queue = try kind.people().context(kind)
    let (ann, book) = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let book = Book.create(in: context)
      book.readers = [ann]
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, book)
    }
    queue.performAndWait { _ in book.readers = [] }
    queue.performAndWait { $0.delete(ann) }
    try queue.performAndWait { context in
      context.refreshAllObjects()
      if reads { #expect(book.readers.isEmpty) }
      context.undo()
      #expect(!ann.isDeleted && ann.isUpdated && book.isUpdated)
      #expect(ann.reads.isEmpty && book.readers.isEmpty)
      try context.save()
      context.reset()
      let stored = try #require(try Person.first(in: context))
      #expect(stored.reads.isEmpty)
    }
  }

  /// Links that others made or ended too are no change of this context, so undo meets its own change next.
  @Test(arguments: StoreKind.allCases, [false, true])
  func aChangeThatOthersMadeTooIsUndoneAtOnce(in kind: StoreKind, isEnd: Bool) throws {
    let stack = try kind.people()
    let (mine, other) = (stack.newContext(), stack.newContext())
    let (ann, book) = try mine.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let book = Book.create(in: context)
      if isEnd { book.readers = [ann] }
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, book)
    }
    mine.performAndWait { _ in book.readers = isEnd ? [] : [ann] }
    try other.performAndWait { context in
      let book = try #require(try Book.first(in: context))
      book.readers = isEnd ? [] : Set(try Person.all(in: context))
      try context.save()
    }
    mine.performAndWait { _ in #expect(book.readers == (isEnd ? [] : [ann])) }
    try mine.performAndWait { context in
      context.undo()
      #expect(book.readers == (isEnd ? [ann] : []))
      #expect(ann.reads == (isEnd ? [book] : []))
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let stored = try #require(try Book.first(in: context))
      #expect(stored.readers.count == (isEnd ? 1 : 0))
    }
  }

  /// An owner whose members were deleted, and then itself, comes back as one whose members changed.
  @Test(arguments: StoreKind.atEveryDepth)
  func aMemberThatWasDeletedBeforeItsOwnerIsAChangeAfterIt(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let (ann, members) = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let (book, dog) = (Book.create(in: context), Dog.create(in: context))
      (ann.reads, ann.dogs) = ([book], [dog])
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, [book, dog] as [ManagedObject])
    }
    for object in members + [ann] { queue.performAndWait { $0.delete(object) } }
    queue.performAndWait { $0.undo() }
    queue.performAndWait { _ in
      #expect(ann.isUpdated && ann.reads.isEmpty && ann.dogs.isEmpty)
      #expect(Set(ann.changedValues().keys) == ["reads", "dogs"])
    }
    for _ in members { queue.performAndWait { $0.undo() } }
    try queue.performAndWait { context in
      #expect(Set(ann.reads) == [members[0]] && Set(ann.dogs) == [members[1]])
      try context.save()
      context.reset()
      let stored = try #require(try Person.first(in: context))
      #expect(stored.reads.count == 1 && stored.dogs.count == 1)
    }
  }

  /// An owner who lost a member, and then was deleted, comes back as one whose members changed.
  @Test(arguments: StoreKind.atEveryDepth)
  func aMemberThatLeftBeforeADeletionIsAChangeAfterIt(in kind: StoreKind) throws {
    let queue = try kind.people().context(kind)
    let (ann, book, dog) = try queue.performAndWait { context in
      let ann = Person.make("Ann", in: context)
      ann.shelf = [Book.create(in: context)]
      ann.dogs = [Dog.create(in: context)]
      try context.save()
      context.undoManager = ContextUndoManager()
      return (ann, try #require(ann.shelf.first), try #require(ann.dogs.first))
    }
    queue.performAndWait { _ in (book.keeper, dog.owner) = (nil, nil) }
    queue.performAndWait { $0.delete(ann) }
    queue.performAndWait { $0.undo() }
    queue.performAndWait { context in
      #expect(ann.isUpdated && ann.shelf.isEmpty && ann.dogs.isEmpty)
      #expect(Set(ann.changedValues().keys) == ["shelf", "dogs"])
    }
    try queue.performAndWait { context in
      context.undo()
      #expect(ann.shelf == [book] && ann.dogs == [dog])
      context.redo()
      #expect(ann.isUpdated && ann.shelf.isEmpty && ann.dogs.isEmpty)
      try context.save()
      #expect(!context.hasChanges)
      context.reset()
      let stored = try #require(try Person.first(in: context))
      #expect(stored.shelf.isEmpty && stored.dogs.isEmpty)
    }
  }
}
