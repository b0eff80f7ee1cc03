// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import Testing

@Suite struct SearchTests {
  @Test func findsWordsInAllTexts() throws {
    let library = try Library()
    try library.add("Green eggs", "and ham", by: "Dr. Seuss")
      .add("Blue eggs", "without Hämmer", by: "Nobody")
    #expect(try library.titles("eggs") == ["Blue eggs", "Green eggs"])
    #expect(try library.titles("green HAM") == ["Green eggs"])
    #expect(try library.titles("hamm*") == ["Blue eggs"])
    #expect(try library.titles("seuss") == ["Green eggs"])
    #expect(try library.titles("title:ham") == [])
    #expect(try library.titles("author.name:seuss eggs") == ["Green eggs"])
    #expect(try library.titles("((((") == [])
  }

  @Test func followsEachWrite() throws {
    let library = try Library()
    try library.add("one", "first").add("two", "second")
    #expect(try library.titles("first") == ["one"])
    try library.add("three", "first again", by: "Ann")
    #expect(try library.titles("first") == ["one", "three"])
    try library.service.writeSync { context in
      Article.first(where: \.title == "one", in: context)?.text = "changed"
    }.get()
    #expect(try library.titles("first") == ["three"])
    try library.service.writeSync { context in
      Author.first(where: \.name == "Ann", in: context)?.name = "Berta"
    }.get()
    #expect(try library.titles("ann") == [])
    #expect(try library.titles("berta") == ["three"])
    try library.service.writeSync { context in
      Article.first(where: \.title == "three", in: context)?.delete(in: context)
    }.get()
    #expect(try library.titles("berta") == [])
    #expect(try library.titles("changed OR second") == ["one", "two"])
  }

  @Test func takesPartInRequests() throws {
    let library = try Library()
    for number in 0..<20 { try library.add("number \(number)", number % 2 == 0 ? "even" : "odd") }
    let titles = try library.service.readValue { context in
      try Article.search("even").sorted(by: \.title).limit(3).fetch(in: context).map(\.title)
    }
    #expect(titles == ["number 0", "number 10", "number 12"])
    let counts = try library.service.readValue { context in
      [
        try Article.search("even").count(in: context),
        try Article.where(\.text ~= .search("odd") && \.title == "number 7").count(in: context),
        try Article.where(!(\.text ~= .search("odd"))).count(in: context),
      ]
    }
    #expect(counts == [10, 1, 10])
  }

  @Test func seesUnsavedChanges() throws {
    let library = try Library()
    try library.add("saved", "ham")
    try library.service.writeSync { context in
      let new = Article.create(in: context)
      new.title = "unsaved"
      new.text = "Ham"
      let titles = Article.search("ham").fetch(in: context).map(\.title).sorted()
      #expect(titles == ["saved", "unsaved"])
      Article.first(where: \.title == "saved", in: context)?.text = "eggs"
      #expect(Article.search("ham").fetch(in: context).map(\.title) == ["unsaved"])
    }.get()
  }

  @Test func refusesOtherTexts() throws {
    let library = try Library()
    #expect(throws: (any Error).self) {
      try library.service.readValue { context in
        _ = try context.fetch(
          Article.self, FetchRequest("Article", where: .search("x", in: ["views"])))
      }
    }
  }
}
