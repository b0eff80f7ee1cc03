// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore
import Testing

// Checks of links on both sides, their orders and their places.

private let authors = (1...3).map { RowDraft("Author", $0, ["name": .string("Author \($0)")]) }
private let books = (1...4).map {
  RowDraft("Book", $0, ["title": .string("Book \($0)"), "copies": 1, "isRead": false])
}

extension StoreCheck {
  static let relating = [
    StoreCheck(11, "deleting a row removes its links on both sides") { store in
      try store.execute(
        ChangeSet(
          inserting: authors + books,
          links: [
            LinkChange(authors[0], "favourites", adding: [books[0], books[1]]),
            LinkChange(books[1], "fans", adding: [authors[1]]),
            LinkChange(authors[0], "friends", adding: [authors[1], authors[2]]),
          ]))
      try store.execute(ChangeSet(deleting: [books[0], authors[1]]))
      #expect(try store.linked("favourites", of: authors[0], authors[2]) == [2])
      #expect(try store.linked("fans", of: books[1]) == [1])
      #expect(try store.linked("friends", of: authors[0], authors[2]) == [3, 1])
      #expect(try store.damages() == [])
    },
    StoreCheck(
      11, "links are the same from both sides, also in a relationship that is its own inverse"
    ) { store in
      try store.execute(
        ChangeSet(
          inserting: authors + books,
          links: [
            LinkChange(authors[0], "friends", adding: [authors[2]]),
            LinkChange(books[0], "fans", adding: [authors[0], authors[1]]),
          ]))
      #expect(try store.linked("friends", of: authors[2]) == [1])
      #expect(try store.linked("favourites", of: authors[1]) == [1])
      try store.execute(
        ChangeSet(links: [
          LinkChange(authors[2], "friends", removing: [authors[0]]),
          LinkChange(authors[0], "favourites", removing: [books[0]]),
        ]))
      #expect(try store.linked("friends", of: authors[0]) == [])
      #expect(try store.linked("fans", of: books[0]) == [2])
    },
    StoreCheck(8, "links have the order of owners, then of positions, and take new positions") {
      store in
      try store.execute(
        ChangeSet(
          inserting: authors + books,
          links: [
            LinkChange(authors[1], "favourites", adding: [books[2], books[0], books[3]]),
            LinkChange(authors[0], "favourites", adding: [books[1], books[0]]),
          ]))
      #expect(try store.linked("favourites", of: authors[1], authors[0]) == [2, 1, 3, 1, 4])
      try store.execute(
        ChangeSet(links: [
          LinkChange(authors[1], "favourites", adding: [books[3], books[2], books[0]])
        ]))
      #expect(try store.linked("favourites", of: authors[1]) == [4, 3, 1])
      try store.execute(
        ChangeSet(links: [LinkChange(books[1], "fans", adding: [authors[1]])]))
      #expect(try store.linked("favourites", of: authors[1]) == [4, 3, 1, 2])
      // A link that is added again from the side without an order keeps its position.
      try store.execute(
        ChangeSet(links: [LinkChange(books[3], "fans", adding: [authors[1]])]))
      #expect(try store.linked("favourites", of: authors[1]) == [4, 3, 1, 2])
    },
    StoreCheck(8, "a move changes existing links, and creates none") { store in
      try store.execute(
        ChangeSet(
          inserting: authors + books,
          links: [
            LinkChange(authors[0], "favourites", adding: [books[0], books[1], books[2]]),
            LinkChange(authors[1], "favourites", adding: [books[3]]),
          ]))
      try store.execute(
        ChangeSet(links: [
          LinkChange(authors[0], "favourites", moving: [books[2], books[3], books[0], books[1]])
        ]))
      #expect(try store.linked("favourites", of: authors[0], authors[1]) == [3, 1, 2, 4])
      #expect(try store.linked("fans", of: books[3]) == [2])
      #expect(try store.lastPosition("favourites", of: authors[0]) == 3)
      #expect(try store.lastPosition("favourites", of: authors[2]) == nil)
      #expect(try store.damages() == [])
    },
    StoreCheck(8, "rows that refer to owners have the order of owner, position and key") { store in
      let shelves = [1, 2].map { RowDraft("Shelf", $0, ["label": "s"]) }
      func makeBook(_ book: RowDraft, _ shelf: RowDraft, _ position: Int64) -> RowDraft {
        RowDraft(
          "Book", book.key.primaryKey, book.values, to: ["shelf": shelf, "author": authors[0]],
          at: ["shelf": position])
      }
      try store.execute(
        ChangeSet(
          inserting: authors + shelves + [
            makeBook(books[0], shelves[1], 2), makeBook(books[1], shelves[0], 7),
            makeBook(books[2], shelves[1], 1), makeBook(books[3], shelves[1], 2),
          ]))
      let owners = shelves.map(\.key)
      #expect(try referring(store, "books", of: shelves[0].shape, owners) == [2, 3, 1, 4])
      #expect(try referring(store, "books", of: shelves[0].shape, [owners[1]]) == [3, 1, 4])
      #expect(
        try referring(store, "books", of: authors[0].shape, authors.map(\.key)) == [1, 2, 3, 4])
      #expect(try referring(store, "books", of: authors[0].shape, []) == [])
      // The links have the same order as the rows.
      #expect(try store.linked("books", of: shelves[0], shelves[1]) == [2, 3, 1, 4])
      #expect(try store.linked("books", of: authors[0], authors[1]) == [1, 2, 3, 4])
      #expect(try store.lastPosition("books", of: shelves[1]) == 2)
      #expect(try store.lastPosition("books", of: RowDraft("Shelf", 3)) == nil)
    },
    StoreCheck(2, "rows that need each other are inserted together") { store in
      let unborn = RowDraft("Loan", 1)
      let receipt = RowDraft("Receipt", 1, ["number": 1], to: ["loan": unborn])
      let loan = RowDraft(
        "Loan", 1, ["due": .date(Date(timeIntervalSinceReferenceDate: 5))],
        to: ["receipt": receipt, "book": books[0]])
      try store.execute(ChangeSet(inserting: [loan, receipt, books[0]]))
      let found = try store.row(loan)
      let slot = loan.shape.layout.slots.firstIndex { $0.name == "receipt" } ?? 0
      #expect(found?.page.reference(0, slot: slot) == receipt.key)
      #expect(try store.found("Receipt", where: .equals("loan.book.title", "Book 1")) == [1])
    },
  ]

  private static func referring(
    _ store: any PersistentStore, _ relationship: String, of shape: EntityShape, _ owners: [RowKey]
  ) throws -> [Int64] {
    guard case .relationship(let shape) = shape[relationship],
      case .inverseReference(let slot, let position) = shape.storage
    else { return [] }
    let destination = store.model.shape(numbered: shape.destination)
    return try store.rows(
      of: destination, referencing: owners, in: slot, position: position, in: .accepted
    ).flatMap(\.contents).map(\.key.primaryKey)
  }
}
