// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel
import SporadesStore
import Testing

private let book = SampleLibrary.shape("Book")

private func book(_ key: Int64, _ title: String, _ copies: Int64, _ pages: Int64?) -> RowDraft {
  RowDraft(
    "Book", key,
    [
      "title": .string(title), "copies": .integer(copies), "isRead": false,
      "pageCount": pages.map { .integer($0) } ?? .null,
    ])
}

extension StoreCheck {
  static let questions = [
    StoreCheck(9, "groups have one row each, in the order of their values") { store in
      try store.execute(
        ChangeSet(inserting: [
          book(1, "b", 1, 10), book(2, "a", 2, nil), book(3, "b", 3, 30), book(4, "a", 5, 7),
        ]))
      var question = TableQuestion(
        StoreFetch(book),
        [.keyPath("title"), .objectCount, .sum(of: "copies"), .count(of: "pageCount")])
      question.groups = [.keyPath("title")]
      #expect(
        try store.answer(question, in: .accepted).rows == [["a", 2, 7, 1], ["b", 2, 4, 2]])
      question.having = .comparison(
        .init(.max(of: "pageCount"), .greater, .constant(.integer(7))))
      #expect(try store.answer(question, in: .accepted).rows == [["b", 2, 4, 2]])
      question.having = nil
      question.sortTerms = [SortTerm(.sum(of: "copies"))]
      question.limit = 1
      #expect(try store.answer(question, in: .accepted).rows == [["b", 2, 4, 2]])
      question.offset = 1
      #expect(try store.answer(question, in: .accepted).rows == [["a", 2, 7, 1]])
      #expect(try store.answer(question, in: .committed).rows.isEmpty)
    },
    StoreCheck(9, "a question for each object has the order and the bounds of its fetch") {
      store in
      try store.execute(
        ChangeSet(inserting: [book(1, "b", 1, 10), book(2, "a", 2, nil), book(3, "c", 3, 30)]))
      let fetch = StoreFetch(
        book, sortedBy: [SortTerm("pageCount", ascending: false, nils: .first)], limit: 2)
      let question = TableQuestion(
        fetch,
        [.keyPath("title"), .arithmetic(.multiply, .keyPath("copies"), .constant(.integer(2)))])
      #expect(try store.answer(question, in: .accepted).rows == [["a", 4], ["c", 6]])
    },
    StoreCheck(9, "distinct rows are given once, in the order of their values") { store in
      try store.execute(
        ChangeSet(inserting: [
          book(1, "b", 1, nil), book(2, "a", 1, nil), book(3, "b", 1, nil),
        ]))
      var question = TableQuestion(StoreFetch(book), [.keyPath("title"), .keyPath("copies")])
      question.isDistinct = true
      #expect(try store.answer(question, in: .accepted).rows == [["a", 1], ["b", 1]])
      question.sortTerms = [SortTerm("title", ascending: false)]
      question.limit = 1
      #expect(try store.answer(question, in: .accepted).rows == [["b", 1]])
    },
    StoreCheck(9, "random questions have the same answers as in memory") { store in
      let reference = MemoryStore(model: SampleLibrary.model)
      let rows = store.libraryRows(seed: 9)
      try store.execute(rows)
      try reference.execute(rows)
      let shapes = SampleLibrary.model.shapes
      for seed in UInt64(0)..<600 {
        let entity = shapes[Int(seed) % shapes.count]
        var generator = QuestionGenerator(entity, SampleLibrary.model, seed: seed)
        let question = generator.next()
        #expect(
          try store.answer(question, in: .accepted).rows.spelled
            == reference.answer(question, in: .accepted).rows.spelled,
          "seed \(seed), \(entity.name): \(question.columns), by \(question.groups), having \(question.having.map { "\($0)" } ?? "-"), sorted \(question.sortTerms) and \(question.fetch.sortTerms), where \(question.fetch.predicate.map { "\($0)" } ?? "-")"
        )
      }
    },
  ]
}

extension [[Value]] {
  /// The rows with the keys of objects instead of their ids, because ids differ between stores.
  package var spelled: [[Value]] {
    map { row in
      row.map { value in
        guard case .objectID(let id) = value else { return value }
        return .list([.integer(Int64(id.key.entity)), .integer(id.key.primaryKey)])
      }
    }
  }
}
