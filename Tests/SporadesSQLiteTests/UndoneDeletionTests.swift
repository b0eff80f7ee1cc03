// SPDX-License-Identifier: MIT
import CSQLite
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// A deletion that was saved is undone, with the links of what was deleted.
@Suite struct UndoneDeletionTests {
  private func stack(_ store: SQLiteStore) throws -> DataStack {
    let stack = DataStack(store: store)
    try stack.newContext().performAndWait { context in
      let persons = try ["A", "B", "C"].map { name in
        let person = try context.insert(entityNamed: "Person")
        person["name"] = .string(name)
        return person
      }
      persons[0].setObjects([persons[1], persons[2]], forKey: "friends")
      try context.save()
    }
    return stack
  }

  /// Friends are friends of each other: the relationship is its own inverse.
  @Test(arguments: [["A"], ["B"], ["A", "B"], ["B", "A"], ["A", "B", "C"], ["C", "B", "A"]])
  func linksOfARelationshipThatIsItsOwnInverseComeBack(_ names: [String]) throws {
    let stack = try stack(SQLiteStore(inMemory: Sample.model))
    let queue = stack.newContext()
    try queue.performAndWait { context in
      context.undoManager = ContextUndoManager()
      for name in names {
        let request = FetchRequest("Person", where: try FetchPredicate(format: "name == %@", name))
        context.delete(try #require(try context.fetch(request).first))
      }
      try context.save()
    }
    try queue.performAndWait { context in
      context.undo()
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      var friends: [String: Set<Value>] = [:]
      for person in try context.fetch(FetchRequest("Person")) {
        guard case .string(let name) = person["name"] else { continue }
        friends[name] = Set(person.objects(forKey: "friends").map { $0["name"] })
      }
      #expect(friends == ["A": ["B", "C"], "B": ["A"], "C": ["A"]])
    }
  }

  /// Apps leave links to rows that are gone. They are not linked again, and the object comes back without them.
  @Test func aLinkToAMissingRowDoesNotKeepAnObjectAway() throws {
    let path = Sample.temporaryPath()
    let made = try stack(SQLiteStore(path: path, model: Sample.model))
    try made.store.close()
    let database = unsafe try StoreFixture.database(path)
    unsafe try SQLRows.run(database, "DELETE FROM ZPERSON WHERE ZNAME = 'B'")
    unsafe sqlite3_close(database)
    let stack = DataStack(store: try SQLiteStore(path: path, model: Sample.model))
    let queue = stack.newContext()
    try queue.performAndWait { context in
      context.undoManager = ContextUndoManager()
      let request = FetchRequest("Person", where: try FetchPredicate(format: "name == 'A'"))
      context.delete(try #require(try context.fetch(request).first))
      try context.save()
    }
    try queue.performAndWait { context in
      context.undo()
      try context.save()
      let request = FetchRequest("Person", where: try FetchPredicate(format: "name == 'A'"))
      let back = try #require(try context.fetch(request).first)
      #expect(back.objects(forKey: "friends").map { $0["name"] } == ["C"])
    }
    #expect(try stack.store.integrityProblems() == [])
    try stack.store.close()
  }
}
