// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// `watch` shows what another process commits. Here the other process is that of the test.
@Suite struct WatchTests {
  @Test func changesAppearWithTheirValues() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let store = try SQLiteStore(
      path: shop.path, model: try ManagedObjectModel([Customer.self, Order.self]))
    let watching = try WatchRun(shop.path, "Customer where city == 'Kiel'", "--count", "3")
    let stack = DataStack(store: store, classes: [Customer.self, Order.self])
    try stack.newContext().performAndWait { context in
      let customer = Customer.create(in: context)
      customer.name = "New"
      customer.city = "Kiel"
      try context.save()
      let others = try Customer.all(sortedBy: \.name, in: context)
      others[0].city = "Kiel"
      others[1].delete(in: context)
      try context.save()
    }
    try store.commit(.immediate)
    let lines = try watching.lines()
    try store.close()
    let changes = Set(lines.map { "\($0["change"] ?? "") \($0["objectID"] ?? "")" })
    #expect(changes == ["insert Customer/6", "insert Customer/1", "delete Customer/2"])
    #expect(lines.first { $0["objectID"] as? String == "Customer/6" }?["name"] as? String == "New")
  }
}

/// A run of `watch` that ends by itself.
private final class WatchRun {
  private let process: Process
  private let output = Pipe()

  /// Returns when the program watches.
  init(_ words: String...) throws {
    process = CommandRun.process(["watch"] + words, nil, [:])
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var text = ""
    while !text.contains("watching") {
      let data = errors.fileHandleForReading.availableData
      try #require(!data.isEmpty, "The program ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
  }

  /// The lines, when the program has ended.
  func lines() throws -> [[String: Any]] {
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try String(decoding: data, as: UTF8.self).split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }
}
