// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesGraph

/// Orders change cheaply: a move writes what moved.
@Suite struct OrderTests {
  @Test func placesRiseAndAsManyAsPossibleStay() {
    func check(_ current: [Int64?], _ expected: [Int64], _ line: SourceLocation = #_sourceLocation)
    {
      #expect(OrderedPositions.rising(current) == expected, sourceLocation: line)
    }
    check([], [])
    check([nil, nil, nil], [2048, 3072, 4096])
    check([2048, 3072, nil], [2048, 3072, 4096])
    check([4096, 2048, 3072], [1024, 2048, 3072])
    check([3072, 4096, 2048], [3072, 4096, 5120])
    check([2048, nil, nil, 3072], [2048, 2389, 2730, 3072])
    check([2, nil, 3, 2000], [2, 668, 1334, 2000])
    check([1, nil, 2], [1, 1025, 2049])
    check([5, 5, 5], [1, 2, 5])
    check([nil, 1, 2], [2048, 3072, 4096])
  }

  /// As in an ordered set, which Core Data has there.
  @Test(arguments: StoreKind.allCases, [false, true])
  func anObjectThatIsNamedTwiceStandsAtItsFirstPlace(kind: StoreKind, manyToMany: Bool) throws {
    let stack = DataStack(store: try kind.store(People.model), classes: People.classes)
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = (0..<3).map { _ in Book.create(in: context) }
      let named = [books[0], books[1], books[0], books[2], books[1]]
      func shown() -> [Book] { manyToMany ? ann.reads : ann.shelf }
      if manyToMany { ann.reads = named } else { ann.shelf = named }
      #expect(shown() == books)
      try context.save()
      context.refreshAllObjects()
      #expect(shown() == books)
      if manyToMany { ann.reads.append(books[0]) } else { ann.shelf.append(books[0]) }
      #expect(shown() == books)
      #expect(!context.hasChanges)
      let reversed = [books[2], books[2], books[1], books[0]]
      if manyToMany { ann.reads = reversed } else { ann.shelf = reversed }
      try context.save()
      context.refreshAllObjects()
      #expect(shown() == books.reversed())
    }
  }

  @Test(arguments: 1...20)
  func randomMovesKeepTheOrder(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var places: [Int64?] = OrderedPositions.rising(Array(repeating: nil, count: 50))
    var written = 0
    for _ in 0..<200 {
      let moved = places.remove(at: Int.random(in: 0..<places.count, using: &random))
      places.insert(
        Bool.random(using: &random) ? moved : nil,
        at: Int.random(in: 0...places.count, using: &random))
      let new = OrderedPositions.rising(places)
      #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
      #expect(new[0] > 0, "seed \(seed)")
      written += zip(places, new).count { $0 != $1 }
      places = new
    }
    #expect(written < 200 * 3, "seed \(seed)")
  }

  private func inLibrary(
    _ kind: StoreKind, depth: Int, manyToMany: Bool,
    _ body: ([ContextQueue], RefusingStore) throws -> Void
  ) throws {
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let books = (0..<1000).map { number in
        let book = Book.create(in: context)
        book.title = "\(number)"
        return book
      }
      if manyToMany { ann.reads = books } else { ann.shelf = books }
      try context.save()
    }
    try body(stack.chain(depth: depth), store)
  }

  private func writes(_ changes: ChangeSet?) -> Int {
    (changes?.updated.reduce(0) { $0 + $1.page.count } ?? 0)
      + (changes?.links.reduce(0) { $0 + $1.added.count + $1.removed.count } ?? 0)
  }

  /// Each case is a move, and the most rows and links it may write in the store, its owner included.
  @Test(arguments: StoreKind.allCases, [true, false])
  func aMoveInALongListWritesFewRows(in kind: StoreKind, manyToMany: Bool) throws {
    let path: ReferenceWritableKeyPath<Person, [Book]> = manyToMany ? \.reads : \.shelf
    try inLibrary(kind, depth: 1, manyToMany: manyToMany) { queues, store in
      let moves: [(inout [Book]) -> Void] = [
        { $0.insert($0.removeLast(), at: 0) }, { $0.append($0.removeFirst()) },
        { $0.swapAt(10, 900) }, { $0.insert($0.remove(at: 500), at: 499) },
        { $0.remove(at: 300) }, { $0[400] = $0.remove(at: 700) },
        { $0.insert(contentsOf: [$0.removeLast(), $0.removeLast()], at: 7) },
      ]
      for (number, move) in moves.enumerated() {
        try queues[0].performAndWait { context in
          let ann = try #require(try Person.first(in: context))
          var books = ann[keyPath: path]
          move(&books)
          ann[keyPath: path] = books
          let expected = books.map(\.title)
          try context.save()
          #expect(ann[keyPath: path].map(\.title) == expected)
          // a book that fell out is removed, and one that came back is added again
          #expect(writes(store.lastSave) <= 8, "move \(number): \(writes(store.lastSave))")
          if number % 2 == 0 { context.reset() }
          let again = try #require(try Person.first(in: context))
          #expect(again[keyPath: path].map(\.title) == expected)
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func aMoveTwoLevelsDownReachesTheStore(in kind: StoreKind, manyToMany: Bool) throws {
    let path: ReferenceWritableKeyPath<Person, [Book]> = manyToMany ? \.reads : \.shelf
    try inLibrary(kind, depth: 3, manyToMany: manyToMany) { queues, store in
      let expected = try queues[2].performAndWait { context in
        let ann = try #require(try Person.first(in: context))
        ann[keyPath: path].insert(ann[keyPath: path].removeLast(), at: 0)
        ann[keyPath: path].remove(at: 5)
        defer { #expect(throws: Never.self) { try context.save() } }
        return ann[keyPath: path].map(\.title)
      }
      for queue in [queues[1], queues[0]] { try queue.performAndWait { try $0.save() } }
      #expect(writes(store.lastSave) <= 8, "\(writes(store.lastSave))")
      for queue in queues {
        try queue.performAndWait { context in
          context.reset()
          let ann = try #require(try Person.first(in: context))
          #expect(ann[keyPath: path].map(\.title) == expected)
        }
      }
    }
  }

  /// A relationship that is ordered on both its sides.
  @Test(arguments: StoreKind.allCases)
  func bothSidesOfALinkKeepTheirOrder(in kind: StoreKind) throws {
    func side(_ name: String, _ to: String, _ inverse: String) -> RelationshipDescription {
      .toMany(name, to, inverse: inverse, isOrdered: true)
    }
    func entity(_ name: String, _ relationship: RelationshipDescription) -> EntityDescription {
      EntityDescription(
        name, attributes: [AttributeDescription("name", .string)], relationships: [relationship])
    }
    let model = try ManagedObjectModel(entities: [
      entity("Song", side("lists", "List", "songs")),
      entity("List", side("songs", "Song", "lists")),
    ])
    let queue = try kind.stack(model).newContext()
    func names(_ owner: String, _ relationship: String, _ context: ManagedObjectContext) throws
      -> [Value]
    {
      let entity = relationship == "songs" ? "List" : "Song"
      let found = try context.fetch(FetchRequest(entity, where: .equals("name", owner)))
      return try #require(found.first).objects(forKey: relationship).map { $0["name"] }
    }
    func make(_ entity: String, _ names: String, _ context: ManagedObjectContext) throws
      -> [ManagedObject]
    {
      try names.map { name in
        let object = try context.insert(entityNamed: entity)
        object["name"] = .string(String(name))
        return object
      }
    }
    try queue.performAndWait { context in
      let songs = try make("Song", "abc", context)
      let lists = try make("List", "xyz", context)
      for list in lists { list.setObjects(songs, forKey: "songs") }
      songs[1].setObjects([lists[2], lists[0], lists[1]], forKey: "lists")
      try context.save()
      lists[0].setObjects([songs[2], songs[1], songs[0]], forKey: "songs")
      try context.save()
      context.reset()
      #expect(try names("b", "lists", context) == ["z", "x", "y"])
      #expect(try names("x", "songs", context) == ["c", "b", "a"])
      #expect(try names("y", "songs", context) == ["a", "b", "c"])
      #expect(try names("a", "lists", context) == ["x", "y", "z"])
    }
  }
}
