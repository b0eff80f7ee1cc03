// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesFoundation
import SporadesLive
import Testing

/// Results and observers in the order of a language.
@Suite(.timeLimit(.minutes(60))) struct LocalizedResultsTests {
  private static let order = Player.sorted(
    by: .ascending(\.name, .localizedStandard(locale: "sv_SE")))

  init() { TextCollation.useFoundation() }

  @Test func changedObjectsMoveWithinTheOrder() throws {
    try League.makeStack().newContext().performAndWait { context throws in
      for name in ["zebra", "apa 9", "ål"] { Player.make(name, in: context) }
      try context.save()
      let controller = FetchedResultsController<Player>(Self.order, in: context)
      try controller.performFetch()
      func names() -> [String] { (controller.fetchedObjects ?? []).map(\.name) }
      #expect(names() == ["apa 9", "zebra", "ål"])
      let table = TableViewModel(controller)
      let added = Player.make("apa 10", in: context)
      context.processPendingChanges()
      #expect(table.takeEvents() == ["insert - 0.1"])
      added.name = "öl"
      context.processPendingChanges()
      #expect(table.takeEvents() == ["move 0.1 0.3"])
      #expect(names() == ["apa 9", "zebra", "ål", "öl"])
      try context.save()
      #expect(try Self.order.fetch(in: context).map(\.name) == names())
    }
  }

  @Test func observersHaveTheOrder() async throws {
    let service = try League.makeService()
    try service.add(["zebra": 1, "apa 9": 2, "ål": 3])
    var values = service.observe(Self.order.limit(3), mapping: { $0.map(\.name) })
      .makeAsyncIterator()
    #expect(try await values.next() == ["apa 9", "zebra", "ål"])
    try service.add(["apa 10": 4])
    #expect(try await values.next() == ["apa 9", "apa 10", "zebra"])
  }
}
