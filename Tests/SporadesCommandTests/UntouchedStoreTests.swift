// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Synchronization
import Testing

/// The verbs that look change nothing in the folder of a store, in whatever state it is.
@Suite struct UntouchedStoreTests {
  private static let looks = [
    ["inspect"], ["inspect", "--json"], ["dump", "Customer"], ["query", "Customer where age > 16"],
    ["explain", "Customer"], ["check"],
  ]

  /// The names, bytes and times of all files in a folder.
  private func state(of folder: URL) throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let path = folder.appendingPathComponent(name).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let date = try #require(attributes[.modificationDate] as? Date)
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return (name, "\(date.timeIntervalSince1970) \(bytes.count) \(bytes.hashValue)")
      })
  }

  private func look(at path: String, expecting count: Int = 5) throws {
    let before = try state(of: URL(fileURLWithPath: path).deletingLastPathComponent())
    for words in Self.looks {
      let run = try CommandRun([words[0], path] + words.dropFirst())
      #expect(run.status < 2, "\(words): \(run.errors)")
      let after = try state(of: URL(fileURLWithPath: path).deletingLastPathComponent())
      #expect(after == before, "\(words)")
    }
    let run = try CommandRun("query", path, "count Customer")
    #expect(run.output == "{\"count\":\(count)}\n")
  }

  @Test func aClosedStore() throws {
    let folder = try WorkFolder()
    try look(at: ShopStore(in: folder).path)
  }

  @Test func aStoreWithAPendingLog() throws {
    let (folder, copies) = (try WorkFolder(), try WorkFolder())
    let shop = try ShopStore(in: folder)
    let store = try SQLiteStore(
      path: shop.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    try add(to: store)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    where !name.hasSuffix("-shm") {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copies.path(name))
    }
    try store.close()
    #expect(FileManager.default.fileExists(atPath: copies.path("Shop.sqlite-wal")))
    try look(at: copies.path("Shop.sqlite"), expecting: 6)
  }

  @Test func aStoreThatAProcessHasOpen() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let store = try SQLiteStore(
      path: shop.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    try add(to: store)
    try look(at: shop.path, expecting: 6)
    try store.close()
  }

  @Test func aStoreInAFolderThatMayNotBeWritten() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: shop.path)
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer {
      // `try?`, because only the removal of the folder needs it.
      try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    }
    try look(at: shop.path)
  }

  @Test func aStoreThatAProcessWritesAllTheTime() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder, customers: 2_000)
    let store = try SQLiteStore(
      path: shop.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    let writing = Writing(store)
    defer { writing.end() }
    for _ in 0..<12 {
      let run = try CommandRun("query", shop.path, "count Customer")
      #expect(run.status == 0, "\(run.errors)")
      let count = try #require(try run.lines().first?["count"] as? Int)
      #expect(count >= 2_000 && count % 2 == 0)
      let dump = try CommandRun("dump", shop.path, "Customer", "--columns", "name")
      #expect(dump.status == 0, "\(dump.errors)")
      #expect(try dump.lines().count % 2 == 0)
      #expect(try CommandRun("check", shop.path).output == "No damage found.\n")
    }
    #expect(writing.count > 0)
  }

  private func add(to store: SQLiteStore) throws {
    let stack = DataStack(store: store, classes: [Customer.self, Order.self])
    try stack.newContext().performAndWait { context in
      Customer.create(in: context).name = "Late"
      try context.save()
    }
    try store.commit(.immediate)
  }

  // MARK: - What is no store

  @Test func whatIsNoStoreIsSaid() throws {
    let folder = try WorkFolder()
    try Data("This is a sentence, and no database at all.".utf8).write(
      to: folder.url.appendingPathComponent("text"))
    try Data().write(to: folder.url.appendingPathComponent("empty"))
    for (name, sentence) in [
      ("missing", "There is no store"), ("text", "no SQLite database"), ("empty", "empty"),
      ("", "is no file"),
    ] {
      let run = try CommandRun("inspect", folder.path(name))
      #expect(run.status == 3, "\(name)")
      #expect(run.errors.hasPrefix("sporades: "), "\(run.errors)")
      #expect(run.errors.contains(sentence), "\(name): \(run.errors)")
      #expect(run.output == "")
    }
  }

  @Test(arguments: Fixtures.stores)
  func everyFixtureStoreIsTold(_ path: String) throws {
    let run = try CommandRun("inspect", path, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let report: [String: Any] = try run.json()
    let entities = try #require(report["entities"] as? [String: [String: Any]])
    #expect(!entities.isEmpty)
    let largest = try #require(
      entities.max { ($0.value["count"] as? Int ?? 0) < ($1.value["count"] as? Int ?? 0) })
    let count = try CommandRun("query", path, "count \(largest.key)")
    let counted = try #require(try count.lines().first?["count"] as? Int)
    #expect(counted >= largest.value["count"] as? Int ?? 0)
    let dump = try CommandRun("dump", path, largest.key, "--only")
    #expect(try dump.lines().count == largest.value["count"] as? Int, "\(dump.errors)")
  }
}

/// Saves of two objects each, one after the other, until the test ends them.
private final class Writing: Sendable {
  private let isEnded = Atomic(false)
  private let saves = Atomic(0)
  private let done = DispatchSemaphore(value: 0)

  init(_ store: SQLiteStore) {
    DispatchQueue(label: "writing").async { [self] in
      let stack = DataStack(store: store, classes: [Customer.self, Order.self])
      while !isEnded.load(ordering: .relaxed) {
        do {
          try stack.newContext().performAndWait { context in
            for _ in 0..<2 { Customer.create(in: context).name = "Late" }
            try context.save()
          }
          try store.commit(.immediate)
          saves.add(1, ordering: .relaxed)
        } catch { Issue.record(error) }
      }
      done.signal()
    }
  }

  var count: Int { saves.load(ordering: .relaxed) }

  func end() {
    isEnded.store(true, ordering: .relaxed)
    done.wait()
  }
}
