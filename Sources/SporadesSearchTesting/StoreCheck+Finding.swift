// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSearch
import SporadesStore
import SporadesTesting
import Testing

// Checks of what a search finds, alone and with everything that a request may have beside it.

private func row(
  _ entity: String, _ key: Int64, _ values: [String: Value], to others: [String: RowDraft] = [:]
) -> RowDraft {
  RowDraft(entity, key, values, to: others, of: SearchedLibrary.model)
}

private let koeln = row("Place", 1, ["name": "Köln"])
private let eva = row("Author", 1, ["name": "Éva Green", "born": 1], to: ["home": koeln])
private let shelf = [
  koeln, eva,
  row("Article", 1, ["title": "Green Eggs", "text": "ham and eggs", "kind": "a", "views": 1]),
  row("Article", 2, ["title": "Ham!", "kind": "a", "views": 2], to: ["author": eva]),
  row(
    "Story", 3,
    ["title": "x", "text": "green ham", "plot": "eggs, ham", "kind": "b", "views": 3]),
  row("Note", 1, ["text": "東京都"]),
]

extension StoreCheck {
  static let finding: [StoreCheck] = [
    searchCheck(9, "a search finds words without case and marks, in all texts of its entity") {
      store, _ in
      try store.execute(ChangeSet(inserting: shelf))
      for (typed, keys) in [
        ("EGGS", [1]), ("ham", [1, 2, 3]), ("ham green", [1, 2, 3]), ("koln", [2]),
        ("hä*", [1, 2, 3]),
        ("green -eggs", [2, 3]), ("eggs OR eva", [1, 2]), ("\"ham and\"", [1]), ("\"and ham\"", []),
        ("^ham", [1, 2]), ("NEAR(ham eggs, 1)", [1]), ("NEAR(ham eggs, 0)", []), ("title:ham", [2]),
        ("author.name:green", [2]), ("-title:green", [2, 3]), ("{title text}:green", [1, 3]),
        ("", []), ("-ham", []), ("nothing", []), ("!", []),
      ] as [(String, [Int64])] {
        #expect(try store.found(typed) == keys, "\(typed)")
      }
      #expect(try store.found(.not(.search("koln")), "Article") == [1, 3])
      #expect(try store.found("green", in: ["text"]) == [3])
    },
    searchCheck(10, "a search of an entity below looks into its own texts, too") { store, _ in
      try store.execute(ChangeSet(inserting: shelf))
      #expect(try store.found("eggs", "Story") == [3])
      #expect(try store.found("plot:\"eggs ham\"", "Story") == [3])
      #expect(try store.found("plot:ham") == [])
      #expect(try store.found("green", "Story") == [3])
      #expect(try store.found("green", "Author") == [1])
    },
    searchCheck(9, "a search by parts finds parts of words") { store, _ in
      try store.execute(ChangeSet(inserting: shelf))
      for (typed, keys) in [("京", [1]), ("東京", [1]), ("京都", [1]), ("都東", []), ("東京都", [1])]
        as [(String, [Int64])]
      {
        #expect(try store.found(typed, "Note") == keys, "\(typed)")
      }
    },
    searchCheck(9, "a search of texts that are not searched is refused as unsupported") {
      store, _ in
      for (predicate, entity) in [
        (FetchPredicate.search("ham"), "Place"), (.search("ham", in: ["kind"]), "Article"),
      ] {
        do throws(StoreError) {
          let fetch = StoreFetch(SearchedLibrary.shape(entity), where: predicate)
          _ = try store.keys(fetch, in: .accepted)
          Issue.record("\(predicate) was not refused")
        } catch {
          #expect(error.code == .unsupported)
        }
      }
    },
    searchCheck(9, "random searches find the same rows as in memory", rows: 1) { stores, _ in
      let found = try stores.agree(1, searches: 50)
      #expect(found > 250)
    },
    searchCheck(9, "searches mean the same beside other conditions", rows: 2) { stores, _ in
      var found = 0
      for seed in UInt64(0)..<60 {
        var choices = SearchChoices(seed)
        let fetch = StoreFetch(choices.entity, where: choices.condition())
        found += try stores.agree(fetch, "seed \(seed): \(choices)")
      }
      #expect(found > 250)
    },
    searchCheck(8, "orders, limits and offsets hold for what a search finds", rows: 3) {
      stores, _ in
      var found = 0
      for seed in UInt64(0)..<60 {
        var choices = SearchChoices(seed)
        let fetch = choices.bounded()
        found += try stores.agree(fetch, "seed \(seed): \(choices), \(fetch)")
      }
      #expect(found > 100)
    },
    searchCheck(9, "random questions about what a search finds have the answers of memory", rows: 4)
    {
      stores, _ in
      var found = 0
      for seed in UInt64(0)..<100 {
        var choices = SearchChoices(seed)
        let search = choices.search()
        var generator = QuestionGenerator(choices.entity, SearchedLibrary.model, seed: seed)
        var question = generator.next()
        question.fetch.predicate = question.fetch.predicate.map { .and([search, $0]) } ?? search
        found += try stores.agree(question, "seed \(seed): \(choices)")
      }
      #expect(found > 100)
    },
    searchCheck(9, "a search looks into texts of related objects", rows: 5) { stores, _ in
      var found = 0
      for seed in UInt64(0)..<16 {
        var choices = SearchChoices(seed)
        for (entity, format) in [
          ("Article", "author.name SEARCH %@"), ("Author", "home != nil AND SELF SEARCH %@"),
          ("Author", "SUBQUERY(articles, $a, $a SEARCH %@ AND $a.views > 2).@count > 0"),
          ("Author", "SUBQUERY(articles, $a, $a.text SEARCH %@).@count > 1"),
          ("Place", "SUBQUERY(people, $p, NOT $p.name SEARCH %@).@count == 0"),
        ] {
          let typed = choices.typed()
          let predicate = try FetchPredicate(
            format: format, argumentArray: [typed], words: [.search])
          let fetch = StoreFetch(SearchedLibrary.shape(entity), where: predicate)
          found += try stores.agree(fetch, "\(entity) where \(format): \(typed)")
        }
      }
      #expect(found > 40)
    },
  ]
}

/// Random searches of an entity, and what stands beside them.
private struct SearchChoices: CustomStringConvertible {
  let entity: EntityShape
  private var samples: SearchSamples
  private var predicates: PredicateGenerator
  private var typedLast: [String] = []

  init(_ seed: UInt64) {
    let names = SearchedLibrary.entities
    let name = names[Int(seed % UInt64(names.count))]
    entity = SearchedLibrary.shape(name)
    samples = SearchSamples(seed: seed, columns: SearchedLibrary.columns[name] ?? [])
    predicates = PredicateGenerator(entity, SearchedLibrary.model, seed: seed)
  }

  var description: String { "\(entity.name), \(typedLast)" }

  mutating func typed() -> String {
    typedLast.append(samples.search())
    return typedLast[typedLast.count - 1]
  }

  mutating func search() -> FetchPredicate { .search(Search(typed())) }

  mutating func condition() -> FetchPredicate {
    let (search, other) = (search(), predicates.next(depth: 2))
    switch samples.below(6) {
    case 0: return .and([search, other])
    case 1: return .or([other, search])
    case 2: return .and([.not(search), other])
    case 3: return .and([search, self.search()])
    case 4: return .or([search, .not(self.search())])
    default: return .not(.or([other, search]))
    }
  }

  mutating func bounded() -> StoreFetch {
    let text = entity.name == "Author" ? "name" : entity.name == "Note" ? "text" : "title"
    let terms = [
      SortTerm(text, ascending: samples.below(2) == 0, options: [.caseInsensitive]),
      SortTerm(text, ascending: samples.below(2) == 0),
    ]
    return StoreFetch(
      entity, where: samples.below(2) == 0 ? search() : condition(),
      sortedBy: samples.below(4) == 0 ? [] : [terms[samples.below(2)]],
      limit: samples.below(3) == 0 ? nil : samples.below(12), offset: samples.below(6))
  }
}
