// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Answers about groups are what plain Swift makes of the objects' values.
@Suite struct PlainAnswerTests {
  private struct Row {
    let copies: Value
    let score: Value
    let author: String?

    var copyCount: Int64 { if case .integer(let number) = copies { number } else { 0 } }
    var scoreNumber: Double? { if case .double(let number) = score { number } else { nil } }
  }

  /// The name of a book's author.
  private static func author(
    of book: ManagedObject, _ context: ManagedObjectContext
  ) throws -> String? {
    guard case .objectID(let id) = book.value(forKey: "author"),
      case .string(let name) = try context.existingObject(with: id).value(forKey: "name")
    else { return nil }
    return name
  }

  @Test(arguments: StoreKind.allCases, UInt64(1)...8)
  func groupsAreThoseOfPlainSwift(in kind: StoreKind, seed: UInt64) throws {
    let store = try kind.store(SampleLibrary.model)
    try store.execute(SampleLibrary.rows(seed: seed))
    try DataStack(store: store).newContext().performAndWait { context in
      for _ in 0..<2 {
        let rows = try context.fetch(FetchRequest("Book")).map { book in
          Row(
            copies: book.value(forKey: "copies"), score: book.value(forKey: "score"),
            author: try Self.author(of: book, context))
        }
        try compare(rows, context)
        for (place, book) in try context.fetch(FetchRequest("Book")).enumerated()
        where place % 3 == 0 {
          book.setValue(place % 4, forKey: "copies")
          book.setValue(Double(place), forKey: "score")
        }
      }
    }
  }

  private func compare(_ rows: [Row], _ context: ManagedObjectContext) throws {
    var request = FetchRequest("Book")
    request.propertiesToGroupBy = ["author.name"]
    request.propertiesToFetch = [
      "author.name", ExpressionDescription("books", .objectCount),
      ExpressionDescription("scored", .count(of: "score")),
      ExpressionDescription("copies", .sum(of: "copies")),
      ExpressionDescription(
        "twice", .sum(of: .arithmetic(.multiply, .keyPath(["copies"]), .constant(.integer(2))))),
      ExpressionDescription("best", .max(of: "score")),
      ExpressionDescription("kinds", .count(ofDistinct: "copies")),
    ]
    request.havingPredicate = try FetchPredicate(format: "$copies > 1")
    let found = try context.fetchDictionaries(request).map { row in row.names.map { row[$0] } }
    // Texts are compared by their bytes, and not by their meaning.
    let groups = Dictionary(grouping: rows) { $0.author.map { Array($0.utf8) } }
    let expected = groups.values.filter { $0.reduce(0) { $0 + $1.copyCount } > 1 }
      .sorted { left, right in
        guard let right = right[0].author else { return false }
        guard let left = left[0].author else { return true }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      }
      .map { group -> [Value?] in
        let scores = group.compactMap(\.scoreNumber)
        return [
          group[0].author.map { .string($0) }, .integer(Int64(group.count)),
          .integer(Int64(scores.count)), .integer(group.reduce(0) { $0 + $1.copyCount }),
          .integer(group.reduce(0) { $0 + 2 * $1.copyCount }),
          scores.max().map { .double($0) }, .integer(Int64(Set(group.map(\.copies)).count)),
        ]
      }
    #expect(found == expected)
  }

  @Test(arguments: StoreKind.allCases, UInt64(1)...4)
  func distinctRowsAreThoseOfPlainSwift(in kind: StoreKind, seed: UInt64) throws {
    let store = try kind.store(SampleLibrary.model)
    try store.execute(SampleLibrary.rows(seed: seed))
    try DataStack(store: store).newContext().performAndWait { context in
      var request = FetchRequest("Author", sortedBy: [SortTerm("name", ascending: false)])
      request.propertiesToFetch = ["name"]
      let all = try context.fetchDictionaries(request).compactMap {
        $0.value("name", as: String.self)
      }
      request.returnsDistinctResults = true
      request.fetchLimit = 3
      let found = try context.fetchDictionaries(request).compactMap {
        $0.value("name", as: String.self)
      }
      let bytes = Set(all.map { Array($0.utf8) })
      let expected = bytes.sorted { $1.lexicographicallyPrecedes($0) }.prefix(3)
      #expect(found.map { Array($0.utf8) } == Array(expected))
    }
  }
}
