// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct PredicateTextTests {
  @Test(arguments: [
    ("Rex", "== 'Rex'", true), ("Rex", "== 'rex'", false), ("Rex", "==[c] 'rEX'", true),
    ("Émile", "==[d] 'Emile'", true), ("Émile", "==[cd] 'eMILE'", true),
    ("Émile", "==[c] 'emile'", false), ("é", "== 'e\u{301}'", false),
    ("é", "==[d] 'e\u{301}'", true),
    ("Rex", "==[n] 'rex'", false), ("Rex", "!=[c] 'rex'", false),
    ("Straße", "==[c] 'strasse'", false),
    ("B", "< 'a'", true), ("B", "<[c] 'a'", false), ("z", "< 'é'", true), ("a", "< 'ab'", true),
    ("\u{FFFF}", "< '\u{10000}'", true), ("abc", "CONTAINS 'bc'", true),
    ("abc", "CONTAINS 'bd'", false),
    ("abc", "CONTAINS ''", true), ("aBc", "CONTAINS[c] 'bC'", true), ("", "CONTAINS 'a'", false),
    ("aab", "CONTAINS 'ab'", true), ("abc", "BEGINSWITH 'ab'", true),
    ("abc", "BEGINSWITH 'b'", false),
    ("abc", "ENDSWITH 'bc'", true), ("abc", "ENDSWITH 'xabc'", false),
    ("Éa", "BEGINSWITH[cd] 'e'", true), ("abc", "IN[c] {'x', 'ABC'}", true),
    ("abc", "BETWEEN[c] {'ABB', 'ABD'}", true),
    ("abc", "LIKE 'a?c'", true), ("abc", "LIKE 'a?'", false), ("abc", "LIKE '*'", true),
    ("", "LIKE '*'", true), ("", "LIKE '?'", false), ("abcbc", "LIKE 'a*bc'", true),
    ("abcbd", "LIKE 'a*bc'", false), ("a*c", "LIKE 'a\\\\*c'", true),
    ("abc", "LIKE 'a\\\\*c'", false),
    ("ABC", "LIKE[c] 'a*C'", true), ("a%c", "LIKE 'a%c'", true), ("abc", "LIKE 'a%'", false),
    ("abc", "MATCHES 'a.c'", true), ("abcd", "MATCHES 'a.c'", false),
    ("abc", "MATCHES '[a-c]+'", true), ("ABC", "MATCHES 'abc'", false),
    ("ABC", "MATCHES[c] 'abc'", true), ("a b", "MATCHES[c] '\\\\S \\\\S'", true),
    ("é", "MATCHES[d] 'e'", true), ("", "MATCHES ''", true),
  ])
  func operatorsCompareText(text: String, rest: String, expected: Bool) throws {
    let node = Node("Person", 1, ["name": .string(text)])
    #expect(try TestModel.holds("name \(rest)", for: node) == expected)
  }

  @Test func foldingDependsOnTheTextAlone() {
    #expect(TextFolding.fold("ÀÉÎ õ Å", [.caseInsensitive, .diacriticInsensitive]) == "aei o a")
    #expect(TextFolding.fold("É", .diacriticInsensitive) == "E")
    #expect(TextFolding.fold("É", [.diacriticInsensitive, .normalized]) == "É")
    #expect(TextFolding.fold("Ab", []) == "Ab")
    #expect(TextFolding.fold("İ", [.caseInsensitive, .diacriticInsensitive]) == "i")
    #expect(TextFolding.compare("é", "e\u{301}") > 0)
  }
}
