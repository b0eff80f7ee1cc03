// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct SortTermTests {
  private static let up = [
    "YES", "yes", "true", "True", "1", "asc", "ASC", "ascending", "Ascending",
  ]
  private static let down = ["NO", "no", "false", "0", "desc", "DESC", "descending", "Descending"]

  @Test func readsTermsAndTheirDirections() throws {
    #expect(
      try SortTerm.parse("lastname:NO,firstname")
        == [SortTerm("lastname", ascending: false), SortTerm("firstname")])
    #expect(
      try SortTerm.parse("a:YES, b", ascending: false)
        == [SortTerm("a"), SortTerm("b", ascending: false)])
    #expect(try SortTerm.parse("owner.name").map(\.keyPath) == [["owner", "name"]])
    #expect(
      try SortTerm.parse(" a  desc , b : asc ", ascending: false)
        == [SortTerm("a", ascending: false), SortTerm("b")])
  }

  @Test(arguments: up, ["a:", "a ", "a: ", " a : "])
  func readsAscendingDirections(word: String, start: String) throws {
    #expect(try SortTerm.parse(start + word, ascending: false) == [SortTerm("a")])
  }

  @Test(arguments: down, ["a:", "a ", "a: ", " a : "])
  func readsDescendingDirections(word: String, start: String) throws {
    #expect(try SortTerm.parse(start + word) == [SortTerm("a", ascending: false)])
  }

  @Test func aBlankTextGivesNoTerms() throws {
    #expect(try SortTerm.parse("") == [])
    #expect(try SortTerm.parse("  ") == [])
  }

  @Test(arguments: [
    " , ,", "a,", ",a", "a,,b", ":NO,a", "a:", "a: ", "a::NO", "a:NO:YES", "a:up", "a upwards",
    "a b c", "a:NO YES", "a b:NO", "a:2", "a:-1", "a:y", "a:+1",
  ])
  func textsThatAreNotTermsAreRefused(text: String) {
    let error = #expect(throws: FetchPredicateError.self) { try SortTerm.parse(text) }
    #expect(error?.code == .syntax)
    #expect(error?.detail.contains("\"\(text)\"") == true)
  }
}
