// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Pages that begin behind the last object of the page before.
@Suite struct PageTests {
  private typealias Player = Club.Player

  private static let orders: [TypedRequest<Player>] = [
    Player.sorted(by: \.name), Player.sorted(by: \.age), Player.sorted(by: .descending(\.age)),
    Player.request, Player.sorted(by: \.nickname), Player.sorted(by: .descending(\.nickname)),
    Player.sorted(by: \.isActive, \.age),
    Player.sorted(by: .descending(\.score), .ascending(\.age)),
    Player.sorted(by: "name[cd]:NO"), Player.sorted(by: "nickname nils last"),
    Player.sorted(by: .descending(\.born), .descending(\.isActive)),
    Player.sorted(by: \.team?.name),
    Player.sorted(by: "medals.@count:NO"), Player.where(\.age < 30).sorted(by: \.age),
  ]

  /// The pages of a request, one behind the other. Cursors pass through their text.
  private func names(
    of request: TypedRequest<Player>, _ size: Int, _ context: ManagedObjectContext
  ) throws -> [String] {
    var names: [String] = []
    var cursor: PageCursor?
    repeat {
      let page = try request.limit(size).after(cursor).page(in: context)
      names += page.objects.map(\.name)
      cursor = try page.next.map { try #require(PageCursor($0.description)) }
    } while cursor != nil && names.count < 99
    return names
  }

  @Test(arguments: orders, [1, 2, 4, 6, 7])
  fileprivate func pagesAreTheWholeResult(order: TypedRequest<Club.Player>, size: Int) throws {
    for isFile in [true, false] {
      let folder = try TemporaryFolder()
      let stack =
        try isFile
        ? DataStack(sqlite: folder.file("Club.sqlite"), entities: Club.entities)
        : DataStack(inMemory: Club.entities)
      try stack.newContext().performAndWait { context in
        Club.fill(context)
        let captain = Club.Captain.create(in: context)
        (captain.name, captain.age, captain.isActive) = ("Cyd", 25, true)
        try context.save()
        let whole = try names(of: order, 99, context)
        #expect(try whole.count == order.count(in: context))
        #expect(try names(of: order, size, context) == whole)
        // Changes take the other way: the predicate is evaluated in memory.
        for player in try Player.where(\.age == 30).fetch(in: context) { player.age = 24 }
        let changed = try names(of: order, 99, context)
        #expect(try names(of: order, size, context) == changed)
      }
    }
  }

  @Test func insertionsAndDeletionsMoveNoPage() throws {
    let stack = try DataStack(inMemory: Club.entities)
    try stack.newContext().performAndWait { context in
      Club.fill(context)
      try context.save()
      let request = Player.sorted(by: \.name).limit(2)
      let first = try request.page(in: context)
      try Player.where(\.name == "Bob").delete(in: context)
      Player.create(in: context).name = "Abe"
      try context.save()
      let second = try request.after(first.next).page(in: context)
      #expect(second.objects.map(\.name) == ["Cid", "Dan"])
      #expect(try request.after(first.next).limit(nil).count(in: context) == 4)
    }
  }

  @Test func aCursorIsCodable() throws {
    let stack = try DataStack(inMemory: Club.entities)
    try stack.newContext().performAndWait { context in
      Club.fill(context)
      try context.save()
      let page = try Player.sorted(by: \.score, \.born).limit(3).page(in: context)
      let cursor = try #require(page.next)
      let data = try JSONEncoder().encode([cursor])
      #expect(try JSONDecoder().decode([PageCursor].self, from: data) == [cursor])
      #expect(cursor.description.allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([PageCursor].self, from: Data("[\"no cursor\"]".utf8))
      }
      for place in cursor.description.indices {
        // Whatever the text is, it is refused or asks for a page; it never traps.
        var text = cursor.description
        text.replaceSubrange(place...place, with: "x")
        guard let other = PageCursor(text) else { continue }
        let answer = Result {
          try Player.sorted(by: \.score, \.born).limit(3).after(other).page(in: context)
        }
        if case .success(let page) = answer { #expect(page.objects.count <= 3) }
        #expect(PageCursor(String(text.prefix(upTo: place))) != other)
      }
    }
  }

  @Test func whatHasNoPagesIsRefused() throws {
    let service = DALService(inMemory: Club.entities)
    try service.writeSync { Club.fill($0.managedObjectContext) }.get()
    let cursor = try #require(
      try service.readValue { try Player.sorted(by: \.name).limit(2).page(in: $0).next })
    func refusal(_ request: TypedRequest<Player>) -> String {
      let error = #expect(throws: DALError.self) {
        try service.readValue { try request.page(in: $0).objects.count }
      }
      return error?.description ?? ""
    }
    #expect(refusal(Player.sorted(by: \.name)).contains("has no limit"))
    #expect(refusal(Player.sorted(by: \.name).limit(3).offset(1)).contains("Leave offset(_:) out"))
    #expect(refusal(Player.sorted(by: \.age).limit(2).after(cursor)).contains("another order"))
    #expect(
      refusal(Player.sorted(by: .descending(\.name)).limit(2).after(cursor)).contains(
        "another order"))
    let descending = Player.sorted(by: "name:NO").limit(2)
    let last = try #require(try service.readValue { try descending.page(in: $0).next })
    #expect(
      try service.readValue { try descending.after(last).page(in: $0).objects.count } == 2)
    #expect(
      refusal(Player.sorted(by: "name:NO nils first").limit(2).after(last)).contains(
        "another order"))
    #expect(refusal(Player.sorted(by: "random()").limit(2)).contains("random order"))
    let isNew = service.writeSync { context in
      for name in ["Xia", "Yan", "Zoe"] { Player.create(in: context).name = name }
      _ = Player.where(\.name > "W").sorted(by: \.name).limit(2).page(in: context)
    }
    #expect(
      isNew.failure?.description.contains("is new, and a cursor needs its permanent id") == true)
  }
}
