// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesLive
import Testing

/// The files of section caches.
@Suite struct SectionCacheTests {
  private typealias Controller = FetchedResultsController<Player>

  @Test func aCacheHoldsTheSectionsOfTheLastFetch() throws {
    let name = "players/\(UUID())"
    defer { #expect(throws: Never.self) { try Controller.deleteCache(withName: name) } }
    try League.makeStack().newContext().performAndWait { context in
      for group in ["a", "b", "b"] { Player.make("x", group: group, in: context) }
      try context.save()
      let request = Player.sorted(by: \.group)
      let first = Controller(request, in: context, sectionNameKeyPath: "group", cacheName: name)
      #expect(try first.cachedSections() == nil)
      try first.performFetch()
      let second = Controller(request, in: context, sectionNameKeyPath: "group", cacheName: name)
      #expect(try second.cachedSections()?.sections.map(\.name) == ["a", "b"])
      #expect(try second.cachedSections()?.sections.map(\.numberOfObjects) == [1, 2])
      Player.make("y", group: "c", in: context)
      try second.performFetch()
      #expect(try second.cachedSections()?.sections.map(\.name) == ["a", "b", "c"])
    }
  }

  @Test func theCacheOfAnotherRequestIsRefusedUntilItIsDeleted() throws {
    let name = "players \(UUID())"
    defer { #expect(throws: Never.self) { try Controller.deleteCache(withName: name) } }
    try League.makeStack().newContext().performAndWait { context in
      try Controller(Player.sorted(by: \.group), in: context, cacheName: name).performFetch()
      let other = Controller(Player.where(\.score > 3), in: context, cacheName: name)
      #expect(throws: FetchedResultsError.cacheOfAnotherRequest(name: name)) {
        try other.performFetch()
      }
      try Controller.deleteCache(withName: name)
      try other.performFetch()
      #expect(try other.cachedSections()?.sections.count == 1)
    }
  }
}
