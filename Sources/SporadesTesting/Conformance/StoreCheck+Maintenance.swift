// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore
import Testing

// Checks of what a store keeps: values of every type, metadata, what is left after a removal of all rows, and closing.

private let extremes: [[String: Value]] = [
  [
    "title": "", "isbn": "e\u{301}", "copies": .integer(Int64(Int16.min)),
    "pageCount": .integer(Int64(Int32.max)), "views": .integer(.min), "isRead": true,
    "price": .decimal(Decimal(string: "12345678901234567.89") ?? 0), "score": .double(.infinity),
    "weight": .double(Double(Float.greatestFiniteMagnitude)),
    "published": .date(Date(timeIntervalSinceReferenceDate: -1e9 - 0.25)), "cover": .data(Data()),
    "uid": .uuid(UUID(uuidString: "FF00FF00-FF00-FF00-FF00-FF00FF00FF00") ?? UUID()),
    "site": .url(URL(string: "https://example.org/%20?q=%C3%A9") ?? URL(filePath: "/")),
    "notes": .data(Data(0...255)),
  ],
  [
    "title": "\u{1F469}\u{200D}\u{1F680} \u{FEFF} 'x' \"y\" ; --", "copies": 0,
    "views": .integer(.max),
    "isRead": false, "price": .decimal(Decimal(string: "-0.01") ?? 0), "score": -0.0,
    "cover": .data(Data(repeating: 7, count: 100_000)),
  ],
]

extension StoreCheck {
  static let maintaining = [
    StoreCheck(2, "values of every type are the same after reading") { store in
      let drafts = extremes.enumerated().map { RowDraft("Book", Int64($0) + 1, $1) }
      try store.execute(ChangeSet(inserting: drafts))
      for draft in drafts {
        for attribute in draft.shape.attributes {
          let expected = draft.values[attribute.name] ?? .null
          let found = try store.value(attribute.name, of: draft)
          #expect(
            found.map { ValueOrder.areEqual($0, expected) } ?? false || found == expected,
            "\(attribute.name)")
        }
        #expect(try store.row(draft)?.page.version(0) == 1)
      }
    },
    StoreCheck(2, "an update changes only its slots and raises the version") { store in
      let author = RowDraft("Author", 1, ["name": "a"])
      let book = RowDraft(
        "Book", 1, ["title": "t", "isbn": "1", "copies": 1, "isRead": false], to: ["author": author]
      )
      try store.execute(ChangeSet(inserting: [author, book]))
      let changed = book.changed(["isbn": .null, "copies": 2], to: ["author": nil])
      try store.execute(ChangeSet(updating: [changed]))
      let found = try store.row(book)
      #expect(found?.page.version(0) == 2)
      #expect(try store.value("isbn", of: book) == .null)
      #expect(try store.value("copies", of: book) == 2)
      #expect(try store.value("title", of: book) == "t")
      #expect(try store.found("Book", where: .equals("author", Value.null)) == [1])
      try store.execute(ChangeSet(deleting: [changed]))
      #expect(try store.found("Book") == [])
    },
    StoreCheck(12, "the store keeps metadata with the rows, also unknown entries") {
      store, subject in
      var metadata = try store.metadata()
      let mine: MetadataValue = .dictionary([
        "list": .list([.integer(-1), .double(0.5), .boolean(true), .string("é")]),
        "data": .data([0, 255]), "date": .date(1.5),
      ])
      // A coordinator has the metadata of its first store.
      let stores = store.coordinator?.persistentStores ?? [store]
      let identifier = MetadataValue.string(stores[0].identifier)
      #expect(metadata["NSStoreUUID"] == identifier)
      metadata["SomeoneElse"] = mine
      try store.setMetadata(metadata)
      #expect(try store.metadata()["NSStoreUUID"] == identifier)
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 1, ["name": "a"])]))
      try store.commit(.immediate)
      #expect(try store.metadata()["SomeoneElse"] == mine)
      if let again = try subject.reopen?(store) {
        #expect(try again.metadata()["SomeoneElse"] == mine)
        try again.close()
      }
    },
    StoreCheck(12, "removing all rows keeps the store, its identifier and its metadata") { store in
      try store.execute(store.libraryRows(seed: 1))
      try store.commit(.eventual)
      var metadata = try store.metadata()
      metadata["Mine"] = .integer(1)
      try store.setMetadata(metadata)
      let identifier = store.identifier
      let used = try store.found("Book").max() ?? 0
      try store.removeAllRows()
      for shape in store.model.shapes {
        #expect(try store.keys(StoreFetch(shape), in: .accepted).isEmpty)
        #expect(try store.keys(StoreFetch(shape), in: .committed).isEmpty)
      }
      #expect(store.identifier == identifier)
      #expect(try store.metadata()["Mine"] == .integer(1))
      #expect(try store.reserveKeys(1, for: SampleLibrary.shape("Book")).lowerBound > used)
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 100, ["name": "a"])]))
      #expect(try store.found("Author") == [100])
    },
    StoreCheck(3, "closing commits accepted changes, and later requests throw closed") {
      store, subject in
      try store.execute(ChangeSet(inserting: [RowDraft("Author", 1, ["name": "a"])]))
      try store.close()
      #expect(store.refusal(ChangeSet()) == .closed)
      #expect(throws: StoreError.self) { try store.found("Author") }
      #expect(throws: StoreError.self) { try store.commit(.eventual) }
      if let again = try subject.reopen?(store) {
        #expect(try again.found("Author") == [1])
        try again.close()
      }
    },
    StoreCheck(19, "dates with the digits that the store keeps are read back") { store in
      let seconds: [Double] = [
        0.1, 0.1.nextUp, -0.3, 1e-7, 1_234_567_890.123_456_7, -63_114_076_800.5,
      ].map(store.datePrecision.rounded)
      let dates = seconds.map { Value.date(Date(timeIntervalSinceReferenceDate: $0)) }
      let drafts = dates.enumerated().map { place, date in
        RowDraft("Author", Int64(place + 1), ["name": "a", "born": date])
      }
      try store.execute(ChangeSet(inserting: drafts))
      try store.commit(.eventual)
      let pages = try store.rows(StoreFetch(SampleLibrary.shape("Author")), in: .committed)
      #expect(pages.flatMap(\.contents).map { $0.values[1] } == dates)
    },
    StoreCheck(2, "a whole library is stored without integrity problems and read back") { store in
      try store.execute(store.libraryRows(seed: 2))
      try store.commit(.eventual)
      #expect(try store.damages() == [])
      let reference = MemoryStore(model: SampleLibrary.model)
      try reference.execute(store.libraryRows(seed: 2))
      for shape in store.model.shapes {
        let rows = try store.rows(StoreFetch(shape), in: .accepted).flatMap(\.contents)
        let expected = try reference.rows(StoreFetch(shape), in: .accepted).flatMap(\.contents)
        #expect(rows == expected, "\(shape.name)")
      }
    },
  ]
}
