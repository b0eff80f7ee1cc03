// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
public import SporadesStore

extension SampleLibrary {
  /// The values of attributes. Random predicates take their constants from here too, so that rows often
  /// match.
  enum Pool {
    static let texts = [
      "", "a", "A", "Ab", "ab", "aB%", "Émile", "emile", "e\u{301}mile", "Straße", "STRASSE", "a_b",
      "a*b", "İ", "日本", "z\\", "\u{1F600}", "Ж", "ж",
    ]
    static let integers: [Int64] = [-3, -1, 0, 1, 2, 3, 7, 1000]
    // The sum of all rows is exact, so that it does not depend on their order.
    static let doubles = [-2.5, -1.0, 0.0, 0.25, 1.0, 2.5, 3.0, 1e12]
    static let decimals = [
      "-1.5", "0", "0.1", "0.25", "1", "2.5", "19.75", "9007199254740993", "0.1234567890123456789",
    ].compactMap { Decimal(string: $0) }
    static let dates = [-86_400.0, 0, 0.1, 0.1.nextUp, 0.5, 86_400, 700_000_000].map {
      Date(timeIntervalSinceReferenceDate: $0)
    }
    static let blobs = [Data(), Data([0]), Data([0, 255]), Data([1, 2, 3])]
    static let uuids = [
      "00000000-0000-0000-0000-000000000001", "7F000000-0000-0000-0000-00000000000A",
      "FFFFFFFF-0000-0000-0000-000000000000",
    ].compactMap { UUID(uuidString: $0) }
    static let urls = ["https://example.org/", "https://example.org/a?b=c", "file:///tmp/x"]
      .compactMap { URL(string: $0) }
  }

  /// Picks a value of the pool for an attribute of a type.
  static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> Value {
    switch type {
    case .integer16, .integer32, .integer64: .integer(random.pick(Pool.integers))
    case .decimal: .decimal(random.pick(Pool.decimals))
    case .double, .float: .double(random.pick(Pool.doubles))
    case .string: .string(random.pick(Pool.texts))
    case .boolean: .boolean(random.once(in: 2))
    case .date: .date(random.pick(Pool.dates))
    case .binary, .transformable: .data(random.pick(Pool.blobs))
    case .uuid: .uuid(random.pick(Pool.uuids))
    case .uri: .url(random.pick(Pool.urls))
    case .undefined, .objectID, .composite: .null
    }
  }

  /// Makes the inserts of a library with about sixty rows, with many nils, equal values and missing links. Primary keys
  /// begin behind `base`, so that several libraries fit into one store.
  public static func rows(seed: UInt64, behind base: Int64 = 0) -> ChangeSet {
    var random = SeededGenerator(seed: seed)
    let authors = (1...8).map { draft("Author", base + $0, &random) }
    let shelves = (1...3).map { draft("Shelf", base + $0, &random) }
    var categories: [RowDraft] = []
    for key in 1...6 {
      categories.append(draft("Category", base + Int64(key), &random, ["parent": categories]))
    }
    var books: [RowDraft] = []
    for key in 1...24 {
      let entity = random.pick(["Book", "Novel", "Comic"])
      books.append(
        draft(
          entity, base + Int64(key), &random, ["author": authors, "shelf": shelves],
          at: ["shelf"]))
    }
    var (loans, receipts): ([RowDraft], [RowDraft]) = ([], [])
    for key in (base + 1)...(base + 9) {
      let receipt = RowDraft("Receipt", key, ["number": .integer(key)])
      let loan = RowDraft(
        "Loan", key, ["due": value(.date, &random)],
        to: ["book": random.pick(books), "receipt": receipt])
      loans.append(loan)
      receipts.append(
        RowDraft("Receipt", key, ["number": .integer(key)], to: ["loan": loan]))
    }
    var links = books.map { book in
      LinkChange(book, "categories", adding: categories.filter { _ in random.once(in: 3) })
    }
    for (index, author) in authors.enumerated() {
      let others = authors[index...].filter { _ in random.once(in: 4) }
      links.append(LinkChange(author, "friends", adding: others))
      let favourites = books.filter { _ in random.once(in: 6) }.shuffled(using: &random)
      links.append(LinkChange(author, "favourites", adding: favourites))
    }
    return ChangeSet(
      inserting: authors + shelves + categories + books + loans + receipts, links: links)
  }

  private static func draft(
    _ entity: String, _ key: Int64, _ random: inout SeededGenerator,
    _ targets: [String: [RowDraft]] = [:], at ordered: [String] = []
  ) -> RowDraft {
    var values: [String: Value] = [:]
    for attribute in shape(entity).attributes where attribute.name != "isbn" {
      guard !attribute.description.isOptional || !random.once(in: 4) else { continue }
      values[attribute.name] = value(attribute.type, &random)
    }
    if entity == "Book" { values["isbn"] = .string("isbn \(key)") }
    var (references, positions): ([String: RowDraft], [String: Int64]) = ([:], [:])
    for (name, candidates) in targets.sorted(by: { $0.key < $1.key })
    where !candidates.isEmpty && !random.once(in: 4) {
      references[name] = random.pick(candidates)
      if ordered.contains(name) { positions[name] = key }
    }
    return RowDraft(entity, key, values, to: references, at: positions)
  }
}
