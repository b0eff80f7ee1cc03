// SPDX-License-Identifier: MIT
import Foundation
import Observation
import Sporades
import SporadesLive
import Synchronization
import Testing

/// The code in the documentation of fetched results.
@Suite struct FetchedResultsDocumentationTests {
  private typealias Author = Bookshop.Author
  private typealias Book = Bookshop.Book

  // snippet: fetchedResultsDelegate
  final class Shelf: FetchedResultsControllerDelegate {
    var lines: [String] = []

    func controller(
      _ controller: FetchedResultsController<Bookshop.Book>, didChange book: Bookshop.Book,
      at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      lines.append("\(type) \(book.title)")
    }
  }
  // snippet end

  @Test func aShelfHearsOfBooks() throws {
    let stack = try Bookshop.makeStack(try TemporaryFolder())
    let shelf = Shelf()
    try stack.main.performAndWait { context in
      // snippet: fetchedResults
      let controller = FetchedResultsController(
        Book.where(\.pages < 1000).sorted(by: \.title), in: context)
      controller.delegate = shelf
      try controller.performFetch()
      let titles = controller.fetchedObjects?.map(\.title)
      let first = controller.object(at: IndexPath(item: 0, section: 0))
      // snippet end
      #expect(titles == ["Emma", "Persuasion"])
      first.title = "Sanditon"
      Book.create(in: context).title = "Lady Susan"
      context.processPendingChanges()
      #expect(Set(shelf.lines) == ["move Sanditon", "insert Lady Susan"])
    }
  }

  @Test func oneBookIsObserved() throws {
    let stack = try Bookshop.makeStack(try TemporaryFolder())
    let changes = Changes()
    try stack.main.performAndWait { context in
      let book = try #require(try Book.first(where: \.title == "Emma", in: context))
      var label = ""
      // snippet: observedObject
      let observed = ObservedObject(book)
      withObservationTracking {
        label = observed.title
      } onChange: {
        changes.count.add(1, ordering: .relaxed)
      }
      book.pages = 474
      book.title = "Sanditon"
      context.processPendingChanges()
      // snippet end
      #expect(label == "Emma")
    }
    #expect(changes.count.load(ordering: .relaxed) == 1)
  }

  @Test func readsOfBooksAreTracked() throws {
    let stack = try Bookshop.makeStack(try TemporaryFolder())
    let changes = Changes()
    try stack.main.performAndWait { context in
      let book = try #require(try Book.first(where: \.title == "Emma", in: context))
      var label = ""
      // snippet: trackedReads
      context.tracksReads = true
      withObservationTracking {
        label = book.title
      } onChange: {
        changes.count.add(1, ordering: .relaxed)
      }
      book.title = "Sanditon"
      context.processPendingChanges()
      // snippet end
      #expect(label == "Emma")
    }
    #expect(changes.count.load(ordering: .relaxed) == 1)
  }

  private final class Changes: Sendable {
    let count = Atomic(0)
  }
}
