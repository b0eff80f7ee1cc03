// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Deletions that a merge policy gives up leave the orders of members as they were.
@Suite struct GivenUpDeletionTests {
  private typealias Change = (Person, ManagedObjectContext) throws -> Void

  /// Saves Ann with the books a, b and c, changes her here, then on the other side, and saves by the store's
  /// policy. Returns what the context and a new one show of her.
  private func titles(
    of books: WritableKeyPath<Person, [Book]>, in kind: StoreKind, mine: Change, others: Change
  ) throws -> [String] {
    let stack = try kind.people()
    try stack.save { context in
      var ann = Person.make("Ann", in: context)
      ann[keyPath: books] = Book.make("abc", in: context)
    }
    let here = try stack.newContext().performAndWait { context in
      context.automaticallyMergesChangesFromParent = false
      context.mergePolicy = .storeTrump
      let ann = try Person.named("Ann", in: context)
      #expect(ann[keyPath: books].titles == "abc")
      try mine(ann, context)
      try stack.save { other in try others(try Person.named("Ann", in: other), other) }
      try context.save()
      #expect(!context.hasChanges)
      return ann[keyPath: books].titles
    }
    let anew = try stack.newContext().performAndWait { context in
      try Person.named("Ann", in: context)[keyPath: books].titles
    }
    return [here, anew]
  }

  @Test(arguments: StoreKind.allCases)
  func aMemberKeepsItsPlace(in kind: StoreKind) throws {
    let relationships: [WritableKeyPath<Person, [Book]>] = [\.shelf, \.reads]
    for books in relationships {
      let kept = try titles(of: books, in: kind) { ann, context in
        context.delete(ann[keyPath: books][1])
      } others: { ann, _ in
        ann[keyPath: books][1].title = "B"
      }
      #expect(kept == ["aBc", "aBc"], "\(books)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aMemberKeepsItsPlaceAmongOthersThatMoved(in kind: StoreKind) throws {
    let relationships: [WritableKeyPath<Person, [Book]>] = [\.shelf, \.reads]
    for books in relationships {
      for index in 0..<3 {
        var expected = ["a", "b", "c"]
        expected[index] = expected[index].uppercased()
        let order = expected.enumerated().filter { $0.offset != index }.map(\.element)
        let kept = try titles(of: books, in: kind) { ann, context in
          context.delete(ann[keyPath: books][index])
          var ann = ann
          ann[keyPath: books].swapAt(0, 1)
          #expect(ann[keyPath: books].titles == order.reversed().joined())
        } others: { ann, _ in
          ann[keyPath: books][index].title = expected[index]
        }
        // It stands behind the member that it stood behind, or first.
        var moved = Array(order.reversed())
        let before = index == 0 ? nil : moved.firstIndex(of: expected[index - 1])
        moved.insert(expected[index], at: before.map { $0 + 1 } ?? 0)
        #expect(kept == [moved.joined(), moved.joined()], "\(books) \(index)")
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theMembersOfAnOwnerKeepTheirPlaces(in kind: StoreKind) throws {
    for isRead in [false, true] {
      let kept = try titles(of: \.shelf, in: kind) { ann, context in
        if isRead { #expect(ann.shelf.titles == "abc") }
        context.delete(ann)
      } others: { ann, _ in
        ann.age = 5
      }
      #expect(kept == ["abc", "abc"])
    }
  }

  /// A rule that leaves members alone leaves them with an owner that is gone.
  @Test(arguments: StoreKind.atEveryDepth)
  func anOwnerThatIsGoneIsNotUpdated(in kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A", relationships: [.toMany("others", "B", inverse: "owner", deleteRule: .noAction)]),
      EntityDescription("B", relationships: [.toOne("owner", "A", inverse: "others")]),
    ])
    try kind.stack(model).context(kind).performAndWait { context in
      let (first, second) = (
        try context.insert(entityNamed: "A"), try context.insert(entityNamed: "A")
      )
      let (moved, deleted) = (
        try context.insert(entityNamed: "B"), try context.insert(entityNamed: "B")
      )
      first.setObjects([moved, deleted], forKey: "others")
      try context.save()
      context.delete(first)
      try context.save()
      moved.setObject(second, forKey: "owner")
      context.delete(deleted)
      #expect(context.updatedObjects == [moved, second])
      try context.save()
      #expect(second.objects(forKey: "others") == [moved])
    }
  }
}
