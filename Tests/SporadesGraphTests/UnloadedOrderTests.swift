// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Relationships that are not in memory are changed without reading what lies in them: ids and places
/// are asked for where they are needed, and rows of those alone that change.
@Suite struct UnloadedOrderTests {
  enum Relation: String, CaseIterable, Sendable {
    /// Members hold the key of their list, and their place.
    case items
    /// Links hold the place.
    case songs
  }

  private static let size = 1000

  private static let model = Result {
    func entity(_ name: String, _ relationships: [RelationshipDescription]) -> EntityDescription {
      EntityDescription(
        name, attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: relationships)
    }
    return try ManagedObjectModel(entities: [
      entity(
        "List",
        [
          .toMany("items", "Item", inverse: "list", isOrdered: true),
          .toMany("songs", "Song", inverse: "lists", isOrdered: true),
        ]),
      entity("Item", [.toOne("list", "List", inverse: "items")]),
      entity("Song", [.toMany("lists", "List", inverse: "songs")]),
    ])
  }

  /// A list of a thousand, contexts over each other, and what the list should hold.
  private final class Run {
    let relation: Relation
    let store: RefusingStore
    let stack: DataStack
    let queues: [ContextQueue]
    var expected = (0..<UnloadedOrderTests.size).map(String.init)

    init(_ kind: StoreKind, _ relation: Relation, depth: Int) throws {
      self.relation = relation
      store = RefusingStore(try kind.store(UnloadedOrderTests.model.get()))
      stack = DataStack(store: store)
      try stack.newContext().performAndWait { [expected] context in
        let list = try context.insert(entityNamed: "List")
        list.setObjects(
          try expected.map { try Self.make($0, relation, context) }, forKey: relation.rawValue)
        try context.save()
      }
      queues = stack.chain(depth: depth)
    }

    static func make(
      _ name: String, _ relation: Relation, _ context: ManagedObjectContext
    ) throws -> ManagedObject {
      let object = try context.insert(entityNamed: relation == .items ? "Item" : "Song")
      object["name"] = .string(name)
      return object
    }

    func list(_ context: ManagedObjectContext) throws -> ManagedObject {
      try #require(try context.fetch(FetchRequest("List")).first)
    }

    func member(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
      let entity = relation == .items ? "Item" : "Song"
      let found = try context.fetch(FetchRequest(entity, where: .equals("name", name)))
      return try #require(found.first)
    }

    /// Makes a change in contexts that know nothing, saves it to the store, and counts the reads.
    func change(
      _ comment: Comment, reads: Int, rows: Int,
      _ body: (ManagedObject, ManagedObjectContext) throws -> Void
    ) throws {
      for queue in queues { queue.performAndWait { $0.reset() } }
      try queues[queues.count - 1].performAndWait { context in
        let list = try list(context)
        let before = (store.reads, store.rowsRead)
        try body(list, context)
        try context.save()
        for queue in queues.dropLast().reversed() { try queue.performAndWait { try $0.save() } }
        let read = (store.reads - before.0, store.rowsRead - before.1)
        #expect(read.0 <= reads, comment)
        #expect(read.1 <= rows, comment)
      }
      for queue in queues + [stack.newContext()] {
        try queue.performAndWait { context in
          let names = try list(context).objects(forKey: relation.rawValue).map { $0["name"] }
          #expect(names == expected.map { .string($0) }, comment)
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func addingAndRemovingAsksForNoMembers(in kind: StoreKind, of relation: Relation) throws {
    let run = try Run(kind, relation, depth: 1)
    let name = relation.rawValue
    try run.change("adding two", reads: 1, rows: 0) { list, context in
      for new in ["x", "y"] { list.add(try Run.make(new, relation, context), to: name) }
      run.expected += ["x", "y"]
    }
    // the member is fetched, and so is its row
    try run.change("removing a member", reads: 1, rows: 1) { list, context in
      list.remove(try run.member("500", context), from: name)
      run.expected.removeAll { $0 == "500" }
    }
    try run.change("adding one and removing one", reads: 3, rows: 2) { list, context in
      list.remove(try run.member("7", context), from: name)
      list.add(try run.member("500", context), to: name)
      run.expected.removeAll { $0 == "7" }
      run.expected.append("500")
    }
    try run.change("removing and adding one", reads: 2, rows: 1) { list, context in
      let member = try run.member("9", context)
      list.remove(member, from: name)
      list.add(member, to: name)
      run.expected.removeAll { $0 == "9" }
      run.expected.append("9")
    }
  }

  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func theOtherSideJoinsAtTheEnd(in kind: StoreKind, of relation: Relation) throws {
    let run = try Run(kind, relation, depth: 1)
    try run.change("from the other side", reads: 1, rows: 0) { list, context in
      let new = try Run.make("x", relation, context)
      if relation == .items {
        new.setObject(list, forKey: "list")
      } else {
        new.setObjects([list], forKey: "lists")
      }
      run.expected.append("x")
    }
  }

  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func indicesAskForIDsAndPlaces(in kind: StoreKind, of relation: Relation) throws {
    try byIndex(kind, relation, depth: 1, slack: 0)
  }

  /// What is unsaved in the contexts between takes its part: each of them asks once.
  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func indicesWorkTwoContextsDown(in kind: StoreKind, of relation: Relation) throws {
    try byIndex(kind, relation, depth: 3, slack: 6)
  }

  private func byIndex(
    _ kind: StoreKind, _ relation: Relation, depth: Int, slack: Int
  ) throws {
    let run = try Run(kind, relation, depth: depth)
    let name = relation.rawValue
    for index in [0, 500, Self.size] {
      try run.change("inserting at \(index)", reads: 2 + slack, rows: 1 + slack) { list, context in
        let new = try Run.make("new \(index)", relation, context)
        list.insert(new, into: name, at: index)
        run.expected.insert("new \(index)", at: index)
      }
    }
    try run.change("inserting a member", reads: 3 + slack, rows: 2 + slack) { list, context in
      list.insert(try run.member("20", context), into: name, at: 3)
      run.expected.insert(run.expected.remove(at: 21), at: 3)
    }
    for index in [0, 700] {
      try run.change("removing at \(index)", reads: 2 + slack, rows: 1 + slack) { list, _ in
        list.remove(at: index, from: name)
        run.expected.remove(at: index)
      }
    }
    for (from, to) in [(900, 0), (0, 900), (10, 11)] {
      try run.change("moving \(from)", reads: 2 + slack, rows: 1 + slack) { list, _ in
        list.move(from: from, to: to, in: name)
        run.expected.insert(run.expected.remove(at: from), at: to)
      }
    }
    try run.change("replacing", reads: 3 + slack, rows: 2 + slack) { list, context in
      list.replace(at: 40, in: name, with: try Run.make("in place", relation, context))
      run.expected[40] = "in place"
    }
    try run.change("replacing by a member", reads: 4 + slack, rows: 2 + slack) { list, context in
      list.replace(at: 40, in: name, with: try run.member("200", context))
      run.expected.removeAll { $0 == "200" }
      run.expected[40] = "200"
    }
    try run.change("several", reads: 4 + slack, rows: 3 + slack) { list, context in
      for number in 0..<5 {
        list.insert(try Run.make("s\(number)", relation, context), into: name, at: 2 * number)
        run.expected.insert("s\(number)", at: 2 * number)
      }
      list.remove(at: 1, from: name)
      run.expected.remove(at: 1)
    }
  }

  /// Assigning asks for ids, and for the rows of those that leave.
  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func assigningReadsWhatLeaves(in kind: StoreKind, of relation: Relation) throws {
    let run = try Run(kind, relation, depth: 1)
    try run.change("assigning", reads: 4, rows: 3) { list, context in
      let ids = list.objectIDs(forRelationshipNamed: relation.rawValue)
      let rest = try ids.dropFirst(3).map { try context.object(with: $0) }
      list.setObjects(rest, forKey: relation.rawValue)
      run.expected.removeFirst(3)
    }
  }

  @Test(arguments: StoreKind.allCases, Relation.allCases)
  func anObjectThatIsGoneIsNotInserted(in kind: StoreKind, of relation: Relation) throws {
    let run = try Run(kind, relation, depth: 1)
    try run.queues[0].performAndWait { context in
      let list = try run.list(context)
      let id = try run.member("3", context).objectID
      try run.stack.newContext().performAndWait { other in
        other.delete(try other.existingObject(with: id))
        try other.save()
      }
      context.reset()
      let again = try run.list(context)
      #expect(again !== list)
      again.insert(try context.object(with: id), into: relation.rawValue, at: 0)
      #expect(!context.hasChanges)
      #expect(again.count(forRelationshipNamed: relation.rawValue) == Self.size - 1)
    }
  }

  @Test func wrongIndicesTrap() async {
    await #expect(processExitsWith: .failure) {
      let run = try Run(.memory, .items, depth: 1)
      try run.queues[0].performAndWait { context in
        try run.list(context).remove(at: UnloadedOrderTests.size, from: "items")
      }
    }
    await #expect(processExitsWith: .failure) {
      let run = try Run(.memory, .songs, depth: 1)
      try run.queues[0].performAndWait { context in
        try run.member("1", context).remove(at: 0, from: "lists")
      }
    }
  }
}
