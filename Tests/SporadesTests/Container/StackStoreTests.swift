// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// Metadata and ids of a stack's store.
@Suite struct StackStoreTests {
  @Test func metadataIsReadAndSetAndKept() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-metadata-\(UUID().uuidString).sqlite")
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
    }
    let stack = try DataStack(sqlite: file, entities: Bookshop.entities)
    var metadata = try stack.metadata
    #expect(metadata["NSStoreType"] == .string("SQLite"))
    #expect(metadata["NSStoreUUID"] == .string(stack.store.identifier))
    metadata["imported"] = .integer(7)
    try stack.setMetadata(metadata)
    #expect(try stack.metadata["imported"] == .integer(7))
    let identifier = stack.store.identifier
    try stack.store.close()
    let read = try DataStack.metadata(ofStoreAt: file)
    #expect(read["imported"] == .integer(7))
    #expect(read["NSStoreUUID"] == .string(identifier))
    #expect(throws: StoreError.self) {
      try DataStack.metadata(ofStoreAt: file.appendingPathExtension("none"))
    }
  }

  @Test func aFlushBringsAllSavesToTheDisk() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-flush-\(UUID().uuidString).sqlite")
    defer {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
      }
    }
    let stack = try DataStack(sqlite: file, entities: Bookshop.entities)
    let receipts = try stack.newContext().performAndWait { context in
      try (0..<20).map { number in
        Bookshop.Book.create(in: context).title = "\(number)"
        try context.save()
        return try #require(context.lastReceipt)
      }
    }
    try stack.flush()
    #expect(receipts.allSatisfy { if case .committed = $0.state { true } else { false } })
    let reader = try DataStack(sqlite: file, entities: Bookshop.entities)
    #expect(try reader.main.performAndWait { try Bookshop.Book.count(in: $0) } == 20)
    try stack.flush()
    try stack.store.close()
    #expect(throws: StoreError.self) { try stack.flush() }
  }

  @Test func idsComeBackFromTheirURIs() throws {
    let stack = try DataStack(inMemory: Bookshop.entities)
    let other = try DataStack(inMemory: Bookshop.entities)
    let id = try stack.newContext().performAndWait { context in
      let book = Bookshop.Book.create(in: context)
      let temporary = book.objectID.uriRepresentation()
      #expect(stack.managedObjectID(forURIRepresentation: temporary) == nil)
      try context.save()
      return book.objectID
    }
    let uri = id.uriRepresentation()
    #expect(stack.managedObjectID(forURIRepresentation: uri) == id)
    #expect(other.managedObjectID(forURIRepresentation: uri) == nil)
    for wrong in ["Nothing/p1", "Book/p0", "Book/q1", "Book/p1/x", "Book"] {
      let text = "x-coredata://\(stack.store.identifier)/\(wrong)"
      let url = try #require(URL(string: text))
      #expect(stack.managedObjectID(forURIRepresentation: url) == nil)
    }
  }
}
