// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct SortTermTests {
  @Test func readsTermsAndTheirDirections() {
    #expect(
      SortTerm.parse("lastname:NO,firstname")
        == [SortTerm("lastname", ascending: false), SortTerm("firstname")])
    #expect(
      SortTerm.parse("a:YES, b", ascending: false)
        == [SortTerm("a"), SortTerm("b", ascending: false)])
    #expect(SortTerm.parse("owner.name").map(\.keyPath) == [["owner", "name"]])
  }

  @Test(arguments: ["YES", "y", "true", "T", "1", " 9", "+1", "-1", "001"])
  func readsTrueDirections(text: String) {
    #expect(SortTerm.parse("a:\(text)", ascending: false) == [SortTerm("a")])
  }

  @Test(arguments: ["NO", "n", "false", "0", "00", "x", "-"])
  func readsFalseDirections(text: String) {
    #expect(SortTerm.parse("a:\(text)") == [SortTerm("a", ascending: false)])
  }

  @Test func termsWithoutANameAreLeftOut() {
    #expect(SortTerm.parse("") == [])
    #expect(SortTerm.parse(" , ,") == [])
    #expect(SortTerm.parse(":NO,a") == [SortTerm("a")])
  }

  @Test func aColonAloneSaysNoDirection() {
    #expect(SortTerm.parse("a:", ascending: false) == [SortTerm("a", ascending: false)])
  }
}
