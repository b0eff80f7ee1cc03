// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// `recover` saves every row that damage has left readable, and tells what is missing.
@Suite struct RecoverTests {
  private let folder: WorkFolder
  private let shop: ShopStore
  private static let customers = 2_000

  init() throws {
    folder = try WorkFolder()
    shop = try ShopStore(in: folder, customers: Self.customers)
  }

  private var target: String { folder.path("Saved.sqlite") }

  private func damage(_ change: (inout Data, _ pageSize: Int) throws -> Void) throws {
    let url = URL(fileURLWithPath: shop.path)
    var data = try Data(contentsOf: url)
    try change(&data, Int(data[16]) << 8 | Int(data[17]))
    try data.write(to: url)
  }

  private func recover() throws -> (status: Int32, report: [String: Any]) {
    let run = try CommandRun("recover", shop.path, "--to", target, "--json")
    #expect(run.status < 2, "\(run.errors)")
    return (run.status, try run.json())
  }

  private func count(_ entity: String) throws -> Int {
    let run = try CommandRun("query", target, "count \(entity)")
    return try #require(try run.lines().first?["count"] as? Int, "\(run.errors)")
  }

  /// The pages that begin like the leaf of a table and hold customers.
  private func leaves(_ data: Data, _ size: Int) -> [Int] {
    (1..<data.count / size).filter { page in
      data[page * size] == 0x0D
        && data[page * size..<(page + 1) * size].range(of: Data("Customer 1".utf8)) != nil
    }
  }

  @Test func aSoundStoreIsSavedWhole() throws {
    let dumps = try ["Customer", "Order"].map { try CommandRun("dump", shop.path, $0).output }
    let (status, report) = try recover()
    #expect(status == 0, "\(report)")
    for (entity, dump) in zip(["Customer", "Order"], dumps) {
      #expect(try CommandRun("dump", target, entity).output == dump)
    }
  }

  @Test func aModelTellsTheTablesWhereTheirListIsLost() throws {
    let dumps = try ["Customer", "Order"].map { try CommandRun("dump", shop.path, $0).output }
    let model = folder.path("Shop.xcdatamodeld")
    #expect(try CommandRun("convert", shop.path, "--to", model).status == 0)
    try damage { data, size in data.replaceSubrange(0..<size, with: Data(count: size)) }
    let without = try CommandRun("recover", shop.path, "--to", target)
    #expect(without.status == 3 && without.errors.contains("--model"))
    let run = try CommandRun("recover", shop.path, "--to", target, "--model", model, "--json")
    #expect(run.status == 1, "\(run.errors)")
    let report = try run.json([String: Any].self)
    #expect(report["orphanRows"] as? Int == Self.customers * 2 + 1)
    for (entity, dump) in zip(["Customer", "Order"], dumps) {
      #expect(try CommandRun("dump", target, entity).output == dump)
    }
    #expect(try CommandRun("check", target).status == 0)
    // New objects get keys behind those that were saved.
    let file = folder.path("new.jsonl")
    try Data(#"{"name": "New"}"#.utf8).write(to: URL(fileURLWithPath: file))
    #expect(try CommandRun("import", target, "Customer", file).status == 0)
    #expect(try count("Customer") == Self.customers + 1)
  }

  @Test func aLostPageTakesItsRowsAlone() throws {
    try damage { data, size in
      let page = try #require(leaves(data, size).first)
      data.replaceSubrange(page * size..<(page + 1) * size, with: Data(count: size))
    }
    let (status, report) = try recover()
    #expect(status == 1)
    #expect(report["unreadablePages"] as? Int == 1)
    let saved = try count("Customer")
    #expect(saved < Self.customers && saved > Self.customers - 100, "\(saved)")
    #expect(try count("Order") == Self.customers + 1)
    // Links to customers that are gone were emptied.
    #expect(try CommandRun("check", target).status == 0)
  }

  @Test func rowsOfALostUpperPageAreFoundByTheirEntity() throws {
    try damage { data, size in
      // The upper page of the customers' tree leads to their leaves.
      let leaf = try #require(leaves(data, size).first)
      let name = unsafe withUnsafeBytes(of: UInt32(leaf + 1).bigEndian) { unsafe Data($0) }
      let upper = try #require(
        (1..<data.count / size).first { page in
          data[page * size] == 0x05 && data[page * size..<(page + 1) * size].range(of: name) != nil
        })
      data.replaceSubrange(upper * size..<(upper + 1) * size, with: Data(count: size))
    }
    let (status, report) = try recover()
    #expect(status == 1)
    #expect(report["orphanRows"] as? Int == Self.customers, "\(report)")
    #expect(try count("Customer") == Self.customers)
  }

  @Test func aLostHeadIsNoObstacle() throws {
    try damage { data, _ in data.replaceSubrange(0..<100, with: Data(count: 100)) }
    let (status, _) = try recover()
    #expect(status == 0)
    #expect(try count("Customer") == Self.customers)
  }

  @Test func damageAnywhereEndsInASentence() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    var numbers = SeededNumbers(state: 34)
    for _ in 0..<12 {
      try whole.write(to: URL(fileURLWithPath: shop.path))
      try damage { data, size in
        for _ in 0..<200 {
          data[Int.random(in: 0..<data.count, using: &numbers)] = .random(in: 0...255)
        }
        data = data.prefix(Int.random(in: 1...data.count, using: &numbers))
      }
      let run = try CommandRun("recover", shop.path, "--to", target, "--replace")
      #expect((0...3).contains(run.status), "\(run.errors)")
      #expect(run.status < 2 || run.errors.hasPrefix("sporades: "), "\(run.errors)")
    }
  }

  @Test func damageInTheLogIsTold() throws {
    let store = try SQLiteStore(
      path: shop.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    let stack = DataStack(store: store, classes: [Customer.self, Order.self])
    for number in 0..<20 {
      try stack.newContext().performAndWait { context in
        Customer.create(in: context).name = "Late \(number)"
        try context.save()
      }
      try store.commit(.immediate)
    }
    let copy = folder.path("Copy.sqlite")
    try FileManager.default.copyItem(atPath: shop.path, toPath: copy)
    var log = try Data(contentsOf: URL(fileURLWithPath: shop.path + "-wal"))
    try store.close()
    log[log.count / 2] ^= 0xFF
    try log.write(to: URL(fileURLWithPath: copy + "-wal"))
    #expect(try CommandRun("inspect", copy).output.contains("pages are lost"))
    let check = try CommandRun("check", copy)
    #expect(check.status == 1)
    #expect(check.output.contains("The log is damaged"), "\(check.output)")
    let run = try CommandRun("recover", copy, "--to", target)
    #expect(run.status == 1)
    #expect(run.output.contains("The log is damaged"), "\(run.output)")
  }

  @Test func theDamagedStoreIsNeverReplaced() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    for words in [
      ["recover", shop.path, "--to"], ["export", shop.path, "Order", "--format", "csv", "--to"],
      ["draw", shop.path, "--format", "svg", "--to"], ["check", shop.path, "--repair"],
      ["backup", shop.path],
      ["copy", shop.path],
    ] {
      let run = try CommandRun(words + [shop.path, "--replace"])
      #expect(run.status == 3, "\(words)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: shop.path)) == before, "\(words)")
    }
  }

  @Test func aForeignLogIsNotTakenAway() throws {
    let log = URL(fileURLWithPath: target + "-wal")
    try Data("mine".utf8).write(to: log)
    for words in [
      ["recover", shop.path, "--to", target], ["backup", shop.path, target],
      ["copy", shop.path, target],
    ] {
      #expect(try CommandRun(words).status == 3, "\(words)")
      #expect(try Data(contentsOf: log) == Data("mine".utf8))
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }

  @Test func whatCannotBeAStoreIsSaid() throws {
    try Data("short".utf8).write(to: folder.url.appendingPathComponent("short"))
    for name in ["short", "missing"] {
      let run = try CommandRun("recover", folder.path(name), "--to", target)
      #expect(run.status == 3)
      #expect(!FileManager.default.fileExists(atPath: target))
    }
    #expect(try CommandRun("recover", shop.path).status == 2)
  }

  @Test(arguments: Fixtures.stores)
  func fixtureStoresAreSavedWhole(_ path: String) throws {
    let work = try WorkFolder()
    let saved = work.path("Saved.sqlite")
    let run = try CommandRun("recover", path, "--to", saved)
    #expect(run.status < 2, "\(run.errors)")
    let reports = try [path, saved].map {
      try CommandRun("inspect", $0, "--json").json([String: Any].self)
    }
    #expect(reports[0]["uuid"] as? String == reports[1]["uuid"] as? String)
    let names = try #require(reports[0]["entities"] as? [String: Any]).keys
    for name in names {
      let dumps = try [path, saved].map { try CommandRun("dump", $0, name, "--only").output }
      #expect(dumps[0] == dumps[1], "\(name)")
    }
  }
}

/// The same numbers in each run.
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
