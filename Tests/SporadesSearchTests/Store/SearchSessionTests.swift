// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesSearch
import Testing

@Suite struct SearchSessionTests {
  @Test(arguments: [
    ("green ham", "green", true), ("gree*", "gre*", true), ("green", "gre*", true),
    ("gre*", "green", false), ("green ham*", "green h*", true), ("a OR b", "a", false),
    ("a", "a OR b", true), ("a -b", "a", true), ("a", "a -b", false),
    ("\"a b c\"", "\"b c\"", true),
    ("\"a b\"*", "\"a b\"", false), ("^a", "a", true), ("a", "^a", false), ("title:a", "a", true),
    ("a", "title:a", false), ("-", "a", true), ("NEAR(a b)", "a", false),
  ])
  func aQueryNarrowsAnother(narrow: String, wide: String, isNarrower: Bool) {
    let columns = ["title", "text"]
    let queries = (Search(narrow).query(columns: columns), Search(wide).query(columns: columns))
    #expect(queries.0.narrows(queries.1) == isNarrower)
  }

  @Test func oneLetterMoreLooksAmongTheFound() throws {
    let library = try Library()
    try library.add("Green").add("grey").add("great", "greenish").add("blue")
    // A commit in the background would be a change of the store.
    try library.service.prepareSearch()
    library.service.flush()
    let counts = try library.service.readValue { context in
      let session = SearchSession<Article>(in: context)
      var counts: [[Int]] = []
      for typed in ["g", "gr", "gre", "gree", "green", "green ", "green -grey", "b"] {
        counts.append([try session.type(typed).count, session.searches])
      }
      return counts
    }
    #expect(
      counts == [[3, 1], [3, 1], [3, 1], [2, 1], [2, 1], [1, 1], [1, 1], [1, 2]])
  }

  @Test func aChangedStoreIsSearchedAnew() throws {
    let library = try Library()
    try library.add("Green")
    let session = try library.service.readValue { context in
      let session = SearchSession<Article>(in: context)
      let count = try session.type("gre").count
      #expect(count == 1)
      return UnsafeSession(session: session)
    }
    try library.add("Greener")
    let count = try library.service.readValue { _ in try session.session.type("gree").count }
    #expect(count == 2)
    try Stranger(library.path).run("UPDATE ZARTICLE SET ZTITLE = 'blue' WHERE ZTITLE = 'Green'")
    let last = try library.service.readValue { _ in try session.session.type("green").count }
    #expect(last == 1)
  }
}

/// Hands a session to another block on the same queue.
private struct UnsafeSession: @unchecked Sendable {
  // @unchecked: each block that uses it runs on the main context's queue.
  let session: SearchSession<Article>
}
