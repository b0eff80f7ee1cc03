// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModelFiles
import Testing

/// The verbs that copy, shrink, migrate, import and export.
@Suite struct CareTests {
  private let folder: WorkFolder
  private let shop: ShopStore

  init() throws {
    folder = try WorkFolder()
    shop = try ShopStore(in: folder)
  }

  private func dump(_ path: String, _ entity: String) throws -> String {
    try CommandRun("dump", path, entity).output
  }

  @Test(arguments: ["backup", "copy"])
  func aCopyHasTheSameObjects(_ verb: String) throws {
    let target = folder.path("New.sqlite")
    let run = try CommandRun(verb, shop.path, target, "--json")
    #expect(run.status == 0, "\(run.errors)")
    for entity in ["Customer", "Order"] {
      #expect(try dump(target, entity) == dump(shop.path, entity))
    }
    let identifiers = try [shop.path, target].map {
      try CommandRun("inspect", $0, "--json").json([String: Any].self)["uuid"] as? String
    }
    #expect((identifiers[0] == identifiers[1]) == (verb == "backup"))
    #expect(try CommandRun("check", target).status == 0)
  }

  @Test(arguments: ["backup", "copy"])
  func aCopyReplacesNothingWithoutAWord(_ verb: String) throws {
    let target = folder.path("New.sqlite")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    let refused = try CommandRun(verb, shop.path, target)
    #expect(refused.status == 3)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["Shop.sqlite", "New.sqlite"])
    let run = try CommandRun(verb, shop.path, target, "--replace")
    // What is no store is replaced by nothing.
    #expect(run.status == 3)
    try FileManager.default.removeItem(atPath: target)
    #expect(try CommandRun(verb, shop.path, target).status == 0)
    #expect(try CommandRun(verb, shop.path, target, "--replace").status == 0)
  }

  @Test func vacuumGivesBackRoom() throws {
    let large = try ShopStore(in: folder, named: "Large.sqlite", customers: 3_000)
    let store = try SQLiteStore(
      path: large.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    try DataStack(store: store, classes: [Customer.self, Order.self]).newContext().performAndWait {
      try Customer.deleteAll(where: \.age > 20, in: $0)
      try $0.save()
    }
    try store.commit(.immediate)
    try store.close()
    let objects = try dump(large.path, "Customer")
    let run = try CommandRun("vacuum", large.path, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let sizes: [String: Int] = try run.json()
    #expect(try #require(sizes["bytesAfter"]) < #require(sizes["bytesBefore"]) / 2)
    #expect(try dump(large.path, "Customer") == objects)
    #expect(try CommandRun("check", large.path).status == 0)
  }

  // MARK: - Import and export

  @Test func whatIsExportedIsImportedAgain() throws {
    let file = folder.path("customers.csv")
    let export = try CommandRun("export", shop.path, "Customer", "--to", file)
    #expect(export.status == 0, "\(export.errors)")
    let other = folder.path("Other.sqlite")
    #expect(try CommandRun("copy", shop.path, other).status == 0)
    let first = try CommandRun("import", other, "Customer", file, "--key", "name", "--json")
    #expect(first.status == 0, "\(first.errors)")
    #expect(try first.json([String: Any].self)["unchanged"] as? Int == 5)
    try """
    {"name": "New", "age": 44}
    {"name": "Customer 1", "age": 99}
    {"name": "Bad", "age": "old"}
    """.write(toFile: folder.path("more.jsonl"), atomically: true, encoding: .utf8)
    let tried = try CommandRun(
      "import", other, "Customer", folder.path("more.jsonl"), "--key", "name", "--dry-run", "--json"
    )
    #expect(try tried.json([String: Any].self)["made"] as? Int == 1)
    #expect(try CommandRun("query", other, "count Customer").output == "{\"count\":5}\n")
    let second = try CommandRun(
      "import", other, "Customer", folder.path("more.jsonl"), "--key", "name")
    #expect(second.status == 1)
    #expect(second.output.contains("1 made, 1 updated"), "\(second.output)")
    #expect(second.output.contains("line 3"), "\(second.output)")
    let ages = try CommandRun("query", other, "Customer where age > 40 showing age sorted by age")
    #expect(ages.output == "{\"age\":44}\n{\"age\":99}\n")
  }

  @Test func anExportGoesToTheOutput() throws {
    let run = try CommandRun(
      "export", shop.path, "Order", "--format", "csv", "--where", "number == $n", "--arg", "n=10")
    // The customer has no key by which the link could be written.
    #expect(run.status == 1 && run.errors.contains("left out: customer"), "\(run.errors)")
    #expect(run.output.hasPrefix("number,total"), "\(run.output)")
    #expect(run.output.split(separator: "\r\n").count == 2)
  }

  // MARK: - Migration

  @Test func migrateGoesToAnotherVersion() throws {
    let model = try ManagedObjectModel([Customer.self, Order.self])
    var entities = model.entities
    let place = try #require(entities.firstIndex { $0.name == "Order" })
    entities[place].attributes.removeAll { $0.name == "total" }
    entities[place].attributes.append(AttributeDescription("note", .string, isOptional: true))
    let file = folder.url.appendingPathComponent("Shop.xcdatamodeld")
    try ModelFile.write(
      [("Shop", model), ("Shop 2", try ManagedObjectModel(entities: entities))], current: "Shop 2",
      to: file)
    let path = shop.path
    let forecast = try CommandRun("migrate", path, "--models", file.path, "--dry-run")
    #expect(forecast.status == 1, "\(forecast.errors)")
    let allowed = try CommandRun(
      "migrate", path, "--models", file.path, "--dry-run", "--allow-losses")
    #expect(allowed.status == 0, "\(allowed.output)")
    #expect(forecast.output.contains("Order.total"), "\(forecast.output)")
    let refused = try CommandRun("migrate", path, "--models", file.path)
    #expect(refused.status == 3)
    #expect(refused.errors.contains("--allow-losses"), "\(refused.errors)")
    #expect(try CommandRun("dump", path, "Order").output.contains("total"))
    let run = try CommandRun(
      "migrate", path, "--models", folder.url.path, "--allow-losses", "--keep-copy")
    #expect(run.status == 0, "\(run.errors)")
    let after = try CommandRun("dump", path, "Order").lines()
    #expect(after.count == 6)
    #expect(after[0].keys.contains("note") && !after[0].keys.contains("total"))
    #expect(
      try CommandRun("dump", folder.path("Shop-before-1.sqlite"), "Order").output.contains("total"))
    let unknown = try CommandRun("migrate", path, "--models", file.path, "--to", "Shop 3")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("Shop 2"), "\(unknown.errors)")
  }
}
