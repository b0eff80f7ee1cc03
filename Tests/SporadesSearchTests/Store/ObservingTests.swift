// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import Testing

@Suite struct SearchObservingTests {
  @Test func resultsFollowTheTexts() async throws {
    let library = try Library()
    try library.add("one", "ham")
    let titles = library.service.observe(Article.search("ham").sorted(by: \.title)) {
      $0.map(\.title)
    }
    var iterator = titles.makeAsyncIterator()
    #expect(try await iterator.next() == ["one"])
    try library.add("two", "more ham")
    #expect(try await iterator.next() == ["one", "two"])
    try library.service.writeSync { context in
      Article.first(where: \.title == "one", in: context)?.text = "eggs"
    }.get()
    #expect(try await iterator.next() == ["two"])
  }
}
