// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesFoundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Suite struct LocalizedSortTests {
  init() { TextCollation.useFoundation() }

  private static let titles = ["öl", "zebra", "apa", "Ärta", "ål", "apa 10", "apa 9", "Apa"]
  private static let cases: [(TextCollation, [String])] = [
    (
      .localized(locale: "sv_SE"),
      ["apa", "Apa", "apa 10", "apa 9", "zebra", "ål", "Ärta", "öl"]
    ),
    (
      .localizedStandard(locale: "sv_SE"),
      ["apa", "Apa", "apa 9", "apa 10", "zebra", "ål", "Ärta", "öl"]
    ),
    (
      .localizedStandard(locale: "de"),
      ["ål", "apa", "Apa", "apa 9", "apa 10", "Ärta", "öl", "zebra"]
    ),
    (
      .localizedCaseInsensitive(locale: "en_US"),
      ["ål", "apa", "Apa", "apa 10", "apa 9", "Ärta", "öl", "zebra"]
    ),
  ]

  /// Calls the body with a context in which the tickets were saved, and once more with an unsaved ticket.
  private func open(
    _ kind: StoreKind, _ body: (ManagedObjectContext, _ unsaved: [String]) throws -> Void
  ) throws {
    let store = try kind.store(Workshop.model)
    let stack = DataStack(store: store, classes: Workshop.classes)
    try stack.context(kind).performAndWait { context in
      for title in Self.titles { Ticket.create(in: context).title = title }
      try context.save()
      try body(context, [])
      Ticket.create(in: context).title = "apa 11"
      try body(context, ["apa 11"])
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func textsHaveTheOrderOfTheirLanguage(in kind: StoreKind) throws {
    try open(kind) { context, unsaved in
      for (collation, titles) in Self.cases {
        let found = try Ticket.sorted(by: .ascending(\.title, collation)).pluck(
          \.title, in: context)
        #expect(found.filter { !unsaved.contains($0) } == titles)
        let objects = try Ticket.all(sortedBy: .descending(\.title, collation), in: context)
        // Equal texts stay in the order of their keys.
        let equal = collation.comparison == .localizedCaseInsensitive
        #expect(equal || objects.map(\.title) == found.reversed())
        #expect(found.count == Self.titles.count + unsaved.count)
      }
    }
  }

  @Test(arguments: StoreKind.atEveryDepth)
  func groupsAndDistinctValuesHaveTheOrder(in kind: StoreKind) throws {
    try open(kind) { context, unsaved in
      let term = SortTerm("title", ascending: false, collation: .localizedStandard(locale: "sv_SE"))
      var request = FetchRequest("Ticket", sortedBy: [term], limit: 3)
      request.propertiesToFetch = ["title"]
      request.propertiesToGroupBy = ["title"]
      let titles = try context.fetchDictionaries(request).map { $0.dictionary["title"] }
      #expect(titles == [.string("öl"), .string("Ärta"), .string("ål")])
      request.propertiesToGroupBy = []
      request.returnsDistinctResults = true
      #expect(try context.fetchDictionaries(request).map { $0.dictionary["title"] } == titles)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func namesStandBehindTheProperty(in kind: StoreKind) throws {
    try open(kind) { context, unsaved in
      guard unsaved.isEmpty else { return }
      let terms = try SortTerm.parse("title[localizedStandard] desc nils last")
      #expect(
        terms == [
          SortTerm("title", ascending: false, nils: .last, collation: .localizedStandard)
        ])
      let titles = try Ticket.sorted(by: "title[localizedStandard]").pluck(\.title, in: context)
      #expect(titles.filter { $0.hasPrefix("apa") } == ["apa", "apa 9", "apa 10"])
    }
    let error = #expect(throws: FetchPredicateError.self) { try SortTerm.parse("title[l]") }
    #expect(error?.detail.contains("[localizedStandard]") == true)
  }

  @Test(arguments: StoreKind.allCases)
  func numbersPagesAndUnknownLocalesAreRefused(in kind: StoreKind) throws {
    try open(kind) { context, _ in
      let number = #expect(throws: FetchPredicateError.self) {
        try Ticket.sorted(by: .ascending(\.number, .localized(locale: "de"))).fetch(in: context)
      }
      #expect(number?.code == .wrongOperands)
      let locale = #expect(throws: FetchPredicateError.self) {
        try Ticket.sorted(by: .ascending(\.title, .localized(locale: "xx_YY"))).fetch(in: context)
      }
      #expect(locale?.detail.contains("\"xx_YY\"") == true)
      let pages = Ticket.sorted(by: .ascending(\.title, .localized(locale: "de"))).limit(2)
      #expect(throws: ContextError.self) { try pages.page(in: context) }
    }
  }

  @Test func withoutRulesTheRefusalNamesTheModule() {
    let error = #expect(throws: FetchPredicateError.self) {
      try LanguageRules().collator(.localizedStandard)
    }
    #expect(error?.detail.contains("SporadesFoundation") == true)
    #expect(error?.detail.contains("TextCollation.useFoundation()") == true)
  }

  @Test func keysOrderTextsTotally() throws {
    let collator = try TextCollation.localizedStandard(locale: "sv_SE").collator()
    let parts = [
      "a", "A", "á", "ß", "ss", "1", "10", " ", "-", "å", "ö", "œ", "oe", "ア", "e\u{301}",
    ]
    var random = SeededGenerator(seed: 15)
    let texts = (0..<400).map { _ in
      (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random)! }
        .joined()
    }
    let keys = texts.map(collator.key)
    // Long texts have keys that need more room than a first guess.
    #expect(collator.key(of: String(repeating: "ö1", count: 5_000)).count > 10_000)
    #expect(collator.key(of: "é") == collator.key(of: "e\u{301}"))
    let sorted = zip(texts, keys).sorted { $0.1.lexicographicallyPrecedes($1.1) }
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      #expect(!right.1.lexicographicallyPrecedes(left.1))
    }
  }
}
