// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesGraph

/// The room that changed rows with long texts have in their pages.
@Suite struct RowRoomTests {
  @Test(arguments: [true, false])
  func aLongRowIsNotCopiedAtEachChange(isNew: Bool) throws {
    let model = try ManagedObjectModel([Kinds.self])
    let stack = DataStack(store: MemoryStore(model: model), classes: [Kinds.self])
    try stack.newContext().performAndWait { context in
      let object = Kinds.create(in: context)
      if !isNew { try context.save() }
      object.text = String(repeating: "a", count: 65 << 20)
      var pages: [RowPage] = []
      for number in 0..<12 {
        object.link = URL(string: "https://example.com/\(number)")
        if let page = object.page, pages.last !== page { pages.append(page) }
      }
      #expect(pages.count == 1)
      #expect(object.text?.utf8.count == 65 << 20)
      #expect(object.link?.absoluteString == "https://example.com/11")
    }
  }

  @Test func theBytesOfARowAreThoseOfItsTextsAndBlobs() throws {
    let model = try ManagedObjectModel([Kinds.self])
    let stack = DataStack(store: MemoryStore(model: model), classes: [Kinds.self])
    try stack.newContext().performAndWait { context in
      let object = Kinds.create(in: context)
      let before = try #require(object.page).regionBytes(of: object.rowIndex)
      object.text = String(repeating: "a", count: 1_000)
      object.text = String(repeating: "b", count: 2_000)
      let after = try #require(object.page).regionBytes(of: object.rowIndex)
      #expect(after - before == RowPage.regionBytes(2_000))
      #expect(after - before >= 2_000)
    }
  }
}
