// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesSQLite
import SporadesStore
import Testing

/// Members of an order whose positions another program left out are in front, whatever else a context changes.
@Suite struct OpenPositionTests {
  private func stack(_ folder: TemporaryFolder) throws -> DataStack {
    let url = folder.url.appendingPathComponent("People.sqlite")
    let stack = DataStack(
      store: try SQLiteStore(url: url, model: People.model), classes: People.classes)
    try stack.newContext().performAndWait { context in
      Person.make("Ann", in: context).shelf = Book.make("abcd", in: context)
      try context.save()
    }
    try stack.store.close()
    try OtherProgram.run(
      ["UPDATE ZBOOK SET Z_FOK_KEEPER = NULL WHERE ZTITLE IN ('b', 'd')"], on: url)
    return DataStack(
      store: try SQLiteStore(url: url, model: People.model), classes: People.classes)
  }

  private func titles(_ queue: ContextQueue) throws -> String {
    try queue.performAndWait { try Person.named("Ann", in: $0).shelf.titles }
  }

  @Test(arguments: [1, 2])
  func anotherChangeMovesNoMember(depth: Int) throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    #expect(try titles(stack.newContext()) == "bdac")
    let queues = stack.chain(depth: depth)
    let queue = try #require(queues.last)
    queue.performAndWait { context in _ = Person.make("Bob", in: context) }
    #expect(try titles(queue) == "bdac")
    try queue.performAndWait { context in
      let book = try #require(Book.make("e", in: context).first)
      book.keeper = try Person.named("Ann", in: context)
      context.refreshAllObjects()
    }
    #expect(try titles(queue) == "bdace")
    for queue in queues.reversed() { try queue.performAndWait { try $0.save() } }
    for queue in queues + [stack.newContext()] { #expect(try titles(queue) == "bdace") }
    try stack.store.close()
  }

  @Test func aNewOrderGivesEachMemberItsPosition() throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    let queue = stack.newContext()
    try queue.performAndWait { context in
      let ann = try Person.named("Ann", in: context)
      ann.shelf = ann.shelf.reversed()
      try context.save()
      #expect(ann.shelf.titles == "cadb")
    }
    #expect(try titles(stack.newContext()) == "cadb")
    try stack.store.close()
  }
}
