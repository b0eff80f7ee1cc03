// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore
import Testing

private let book = SampleLibrary.shape("Book")

private func author(_ key: Int64, _ name: String, rating: Double? = nil) -> RowDraft {
  RowDraft("Author", key, ["name": .string(name), "rating": rating.value])
}

private func book(_ entity: String, _ key: Int64, by author: RowDraft? = nil) -> RowDraft {
  RowDraft(
    entity, key, ["title": .string("Book \(key)"), "copies": 1, "isRead": false],
    to: author.map { ["author": $0] } ?? [:])
}

extension StoreCheck {
  static let fetching = [
    StoreCheck(8, "rows have the order of the sort terms, nil first, then of their keys") { store in
      try store.execute(
        ChangeSet(inserting: [
          author(3, "b", rating: 1), author(2, "B"), author(5, "a", rating: 1),
          author(1, "b", rating: 2), author(4, "é"),
        ]))
      #expect(try store.found("Author") == [1, 2, 3, 4, 5])
      #expect(try store.found("Author", sortedBy: [SortTerm("name")]) == [2, 5, 1, 3, 4])
      #expect(
        try store.found(
          "Author", sortedBy: [SortTerm("rating"), SortTerm("name", ascending: false)])
          == [4, 2, 3, 5, 1])
      #expect(
        try store.found("Author", sortedBy: [SortTerm("rating", ascending: false)])
          == [1, 3, 5, 2, 4])
      let folded = SortTerm("name", options: [.caseInsensitive, .diacriticInsensitive])
      #expect(try store.found("Author", sortedBy: [folded]) == [5, 1, 2, 3, 4])
    },
    StoreCheck(8, "sort terms follow to-one relationships, and a missing object comes first") {
      store in
      let (first, second) = (author(1, "a"), author(2, "b"))
      try store.execute(
        ChangeSet(inserting: [
          first, second, book("Book", 1, by: second), book("Book", 2, by: first), book("Book", 3),
        ]))
      #expect(try store.found("Book", sortedBy: [SortTerm("author.name")]) == [3, 2, 1])
    },
    StoreCheck(8, "limits and offsets cut the ordered rows") { store in
      try store.execute(ChangeSet(inserting: (1...7).map { author($0, "same") }))
      func page(_ limit: Int?, _ offset: Int) -> StoreFetch {
        StoreFetch(
          SampleLibrary.shape("Author"), sortedBy: [SortTerm("name")], limit: limit, offset: offset)
      }
      #expect(try store.keys(page(3, 0), in: .accepted).map(\.primaryKey) == [1, 2, 3])
      #expect(try store.keys(page(3, 6), in: .accepted).map(\.primaryKey) == [7])
      #expect(try store.keys(page(nil, 5), in: .accepted).map(\.primaryKey) == [6, 7])
      #expect(try store.keys(page(0, 5), in: .accepted).isEmpty)
      #expect(try store.rows(page(0, 0), in: .accepted).allSatisfy { $0.count == 0 })
      #expect(try store.count(page(0, 0), in: .accepted) == 0)
      #expect(try store.count(page(3, 6), in: .accepted) == 1)
      #expect(try store.count(page(3, 9), in: .accepted) == 0)
      let rows = try store.rows(page(2, 2), in: .accepted)
      #expect(rows.flatMap(\.contents).map(\.key.primaryKey) == [3, 4])
    },
    StoreCheck(2, "the store finds the keys without a row") { store in
      let rows = (1...100).map { author($0, "a") } + [book("Novel", 1)]
      try store.execute(ChangeSet(inserting: rows))
      let (present, novel) = (rows.map(\.key), rows[100].key)
      let missing = [
        RowKey(entity: present[0].entity, primaryKey: 101),
        RowKey(entity: novel.entity, primaryKey: 2),
      ]
      func absent(_ keys: [RowKey]) throws -> Set<RowKey> { Set(try store.absent(keys)) }
      #expect(try absent([]) == [])
      #expect(try absent(missing + present) == Set(missing))
      for key in present + present { #expect(try absent([key]) == []) }
      for key in missing { #expect(try absent([key]) == [key]) }
      let asBook = RowKey(entity: SampleLibrary.shape("Book").number, primaryKey: 1)
      #expect(try absent([asBook]) == [])
      try store.commit(.eventual)
      try store.execute(ChangeSet(deleting: [rows[0], rows[100]]))
      #expect(try absent([present[0], present[1], novel]) == [present[0], novel])
      #expect(try absent(present) == [present[0], novel])
    },
    StoreCheck(10, "a fetch returns rows of its entity and subentities, each with its own entity") {
      store in
      let rows = [book("Book", 1), book("Novel", 2), book("Comic", 3)]
      try store.execute(ChangeSet(inserting: rows + [author(1, "a")]))
      let all = try store.keys(StoreFetch(book), in: .accepted)
      #expect(Set(all) == Set(rows.map(\.key)))
      let alone = StoreFetch(book, includesSubentities: false)
      #expect(try store.keys(alone, in: .accepted) == [rows[0].key])
      #expect(try store.count(alone, in: .accepted) == 1)
      #expect(try store.found("Novel") == [2])
      let asBooks = rows.map { RowKey(entity: book.number, primaryKey: $0.key.primaryKey) }
      let missing = RowKey(entity: book.number, primaryKey: 99)
      let found = try store.rows(for: asBooks + [missing], in: .accepted)
      #expect(Set(found.flatMap(\.contents).map(\.key)) == Set(rows.map(\.key)))
      #expect(try store.rows(for: [], in: .accepted).isEmpty)
    },
    StoreCheck(9, "aggregates cover the fetched rows, and are null if there are none") { store in
      try store.execute(
        ChangeSet(inserting: [
          author(1, "a", rating: 1), author(2, "b", rating: 2.5), author(3, "c"),
        ]))
      let all = StoreFetch(SampleLibrary.shape("Author"))
      func aggregate(_ function: AggregateFunction, _ fetch: StoreFetch) throws -> Value {
        try store.aggregate(function, of: ["rating"], fetch, in: .accepted)
      }
      #expect(try aggregate(.sum, all) == 3.5)
      #expect(try aggregate(.min, all) == 1.0)
      #expect(try aggregate(.max, all) == 2.5)
      #expect(try aggregate(.average, all) == 1.75)
      #expect(try store.aggregate(.max, of: ["name"], all, in: .accepted) == "c")
      var none = all
      none.predicate = .equals("name", "c")
      for function in [AggregateFunction.sum, .min, .max, .average] {
        #expect(try aggregate(function, none) == .null)
      }
      #expect(try store.aggregate(.max, of: ["rating"], all, in: .committed) == .null)
    },
    StoreCheck(9, "an answer has one row, and the columns in the order of the question") { store in
      try store.execute(
        ChangeSet(inserting: [
          author(1, "a", rating: 1), author(2, "b", rating: 2.5), author(3, "c"),
        ]))
      var question = TableQuestion(
        StoreFetch(SampleLibrary.shape("Author")),
        [
          .aggregate(.max, ["name"]), .objectCount, .aggregate(.average, ["rating"]),
          .aggregate(.sum, ["rating"]), .objectCount,
        ])
      #expect(
        try store.answer(question, in: .accepted).rows == [["c", 3, 1.75, 3.5, 3]])
      question.fetch.sortTerms = [SortTerm("name", ascending: false)]
      (question.fetch.limit, question.fetch.offset) = (1, 1)
      #expect(try store.answer(question, in: .accepted).rows == [["b", 1, 2.5, 2.5, 1]])
      question.fetch.predicate = .equals("name", "none")
      #expect(try store.answer(question, in: .accepted).rows == [[.null, 0, .null, .null, 0]])
      #expect(
        try store.answer(question, in: .committed).rows == [[.null, 0, .null, .null, 0]])
    },
    StoreCheck(9, "a column that does not fit the entity is refused, and the others with it") {
      store in
      for path in [["nothing"], ["categories", "name"], ["author"], ["title"]] {
        do throws(StoreError) {
          let question = TableQuestion(StoreFetch(book), [.objectCount, .aggregate(.sum, path)])
          _ = try store.answer(question, in: .accepted)
          Issue.record("\(path) was not refused")
        } catch {
          #expect(error.code == .unsupported)
        }
      }
    },
  ]

  static let meaning = [
    StoreCheck(9, "random predicates find the same rows as in memory") { store in
      try agree(store, seeds: 0..<400)
    },
    StoreCheck(9, "a predicate that does not fit the entity is refused as unsupported") { store in
      for predicate in [
        FetchPredicate.equals("nothing", 1), .equals("categories.name", "a"),
        .equals("copies", "text"), .comparison(.init(.keyPath("copies"), .equal, .variable("x"))),
      ] {
        do throws(StoreError) {
          _ = try store.keys(StoreFetch(book, where: predicate), in: .accepted)
          Issue.record("\(predicate) was not refused")
        } catch {
          #expect(error.code == .unsupported)
        }
      }
    },
  ]

  /// Compares the results of fetches with the results of a store in memory with the same rows.
  private static func agree(_ store: any PersistentStore, seeds: Range<UInt64>) throws {
    let reference = MemoryStore(model: SampleLibrary.model)
    let rows = store.libraryRows(seed: 9)
    try store.execute(rows)
    try reference.execute(rows)
    for seed in seeds {
      let entity = SampleLibrary.model.shapes[Int(seed) % SampleLibrary.model.shapes.count]
      var generator = PredicateGenerator(entity, SampleLibrary.model, seed: seed)
      let predicate = generator.next()
      let fetch = StoreFetch(entity, where: predicate)
      let (found, expected) = (
        try store.keys(fetch, in: .accepted), try reference.keys(fetch, in: .accepted)
      )
      #expect(
        Set(found) == Set(expected), "seed \(seed), \(entity.name) where \(predicate)")
    }
  }
}

extension RowPage {
  /// The contents of a row as a value, to compare rows of different pages.
  struct Contents: Hashable {
    let key: RowKey
    let version: Int64
    let values: [Value]
    let numbers: [UInt64?]
  }

  var contents: [Contents] {
    (0..<count).map { index in
      var values: [Value] = []
      var numbers: [UInt64?] = []
      for (number, slot) in layout.slots.enumerated() {
        if case .attribute(let attribute) = slot.role {
          values.append(value(index, slot: number, as: attribute.type))
        } else {
          numbers.append(isNull(index, slot: number) ? nil : word(index, slot: number))
        }
      }
      return Contents(key: key(index), version: version(index), values: values, numbers: numbers)
    }
  }
}
