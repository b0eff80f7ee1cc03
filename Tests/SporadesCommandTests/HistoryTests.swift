// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

@Suite struct HistoryTests {
  private let folder: WorkFolder

  init() throws { folder = try WorkFolder() }

  @Test func savesAreShownWithTheirChanges() throws {
    let run = try CommandRun("history", try store(), "--json")
    #expect(run.status == 0)
    let saves = try run.lines()
    #expect(saves.map { $0["author"] as? String } == ["ann", "ben", "ann"])
    #expect(
      saves.map(changes) == [["insert Customer/1"], ["insert Order/1"], ["update Customer/1"]])
    let last = try #require(saves.last?["changes"] as? [[String: Any]])
    #expect(last.first?["properties"] as? [String] == ["name"])
  }

  @Test func optionsChooseSaves() throws {
    let store = try store()
    func authors(_ words: String...) throws -> [String] {
      let run = try CommandRun(["history", store, "--json"] + words)
      return try run.lines().map { save in
        (save["author"] as? String ?? "-") + changes(save).joined()
      }
    }
    #expect(try authors("--limit", "1") == ["anninsert Customer/1"])
    #expect(try authors("--last", "1") == ["annupdate Customer/1"])
    #expect(try authors("--last", "2") == ["beninsert Order/1", "annupdate Customer/1"])
    #expect(try authors("--last", "9").count == 3)
    #expect(try authors("--last", "0").isEmpty)
    #expect(try authors("--author", "ann", "--limit", "1", "--last", "1").count == 1)
    #expect(try authors("--entity", "Order") == ["beninsert Order/1"])
    #expect(try authors("--after", "2") == ["annupdate Customer/1"])
    #expect(try authors("--since", "2001-01-01").count == 3)
    #expect(try authors("--since", "2999-01-01").isEmpty)
  }

  @Test func peopleReadLines() throws {
    let run = try CommandRun("history", try store(), "--last", "1")
    #expect(run.output.contains("by ann"))
    #expect(run.output.hasSuffix("\n  update Customer/1  name\n"))
  }

  @Test func mistakesAreTold() throws {
    let store = try store()
    let time = try CommandRun("history", store, "--since", "yesterday")
    #expect(time.status == 2 && time.errors.contains("needs a moment"))
    let entity = try CommandRun("history", store, "--entity", "Costumer")
    #expect(entity.status == 2 && entity.errors.contains("Customer"))
    let shop = try ShopStore(in: folder, named: "Without.sqlite")
    let without = try CommandRun("history", shop.path)
    #expect(without.status == 3 && without.errors.contains("keeps no history"))
  }

  @Test func theVersionIsTold() throws {
    let run = try CommandRun("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /sporades \d+(\.\d+)+(-dev)?\n/) != nil)
  }

  private func changes(_ save: [String: Any]) -> [String] {
    (save["changes"] as? [[String: Any]] ?? []).map { change in
      "\(change["change"] as? String ?? "-") \(change["objectID"] as? String ?? "-")"
    }
  }

  /// A store with three saves of two authors.
  private func store() throws -> String {
    let path = folder.path("History.sqlite")
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    let store = try SQLiteStore(
      path: path, model: try ManagedObjectModel([Customer.self, Order.self]), options: options)
    try DataStack(store: store, classes: [Customer.self, Order.self]).newContext().performAndWait {
      context in
      context.transactionAuthor = "ann"
      let customer = Customer.create(in: context)
      try context.save()
      context.transactionAuthor = "ben"
      Order.create(in: context).number = 1
      try context.save()
      context.transactionAuthor = "ann"
      customer.name = "Other"
      try context.save()
    }
    try store.commit(.immediate)
    try store.close()
    return path
  }
}
