// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import SporadesModel

/// Compares the answers of an expression with the answers of ICU's engine, which is part of Foundation.
enum ICUComparison {
  /// The answer for each text, or the refusal of the expression.
  enum Answer: Equatable {
    case refused
    case answers([Bool])
  }

  static func theirs(_ pattern: String, _ texts: [String]) -> Answer {
    guard let expression = try? NSRegularExpression(pattern: "(?:" + pattern + ")\\z") else {
      return .refused
    }
    return .answers(
      texts.map { text in
        let range = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: range) != nil
      })
  }

  static func ours(_ pattern: String, _ texts: [String]) throws -> Answer {
    guard let expression = try? RegularExpression(pattern, ignoresCase: false) else {
      return .refused
    }
    return .answers(try texts.map { try expression.matches($0, within: PatternBudget()) })
  }

  static let texts = [
    "", "a", "b", "ab", "aab", "abc", "A", "aB", "\n", "a\n", "a\r\n", "a\nb", "\r\n", "a b", "-",
    "a-b", "]", "[", "^", "&", "1", "12", "é", "e\u{301}", "aa", "aaa", "aaaa", "ba", "bb", "_",
    "\u{8}", " ", "\\", "Q", "k", "K", "\u{212A}", "ſ", "s", "🙂", "E", "{", "}", "#", "a#b", "\r",
    "\t", "\u{85}", "\u{2028}", "\u{7}", "!", "|", ".", "$", "h", "p}", "1a", "Σ", "ς", "漢", "0",
  ]

  /// Valid and invalid expressions with every part of the syntax.
  static let patterns = [
    "[]a]", "[^]a]", "[a-]", "[-a]", "[a-z&&[^b]]", "[a-z--b]", "[a-z--[b]]", "[[a-z]-[b]]",
    "[[a-z]&[b]]", "[[a-z]&&b]", "[a&b]", "[&a]", "[--a]", "[a--]", "[a&&]", "[\\b]", "[\\Qab\\E]",
    "]", "}", "{", "a{", "a{1", "a{,2}", "a{ 1}", "a{1,}", "a{2,1}", "a**", "a+*", "a{2}{2}", "^*",
    "$*", "\\b*", "\\Z*", "(?=a)*", "(?!a)+b", "(?<=a)?", "(?i)*", "(?i)a", "(?-i)a", "(?i:a)b",
    "(?x) a b # c\n", "(?x)[a b]", "(?x:a b)a b", "(?x)a\\ b", "(?x)[#]", "(?x)\\Qa b\\E",
    "a(?#x)*", "a(?#x)b", "(?#)a", "a(?#", "(a)\\1", "\\1(a)", "(a)\\2", "(a)\\10", "\\9",
    "(?<n>a)\\k<n>", "\\k<n>(?<n>a)", "(?<n>a)(?<n>b)", "(?<n>\\k<n>)", "(a\\1)", "(?:(a)|b)\\1",
    "(?:(a)|b)*\\1", "(a*)\\1", "(a)(b)\\2\\1", "\\11(a)", "\\G", "\\Ga", "\\y", "\\_", "\\e",
    "\\cA",
    "\\c", "\\x41", "\\x{41}", "\\x", "\\u0041", "\\u041", "\\U00000041", "\\ud83d\\ude42", "\\0",
    "\\07", "\\012", "\\0400", "\\N{LATIN SMALL LETTER A}", "\\N", "\\N{foo}",
    "[\\N{LATIN SMALL LETTER A}-c]", "\\p{L}", "\\pL", "\\p{foo}", "\\P{L}", "[^\\p{L}]",
    "\\p{Latin}",
    "\\p{Script=Greek}", "\\p{sc=Latn}", "\\p{IsLatin}", "\\p{Lu}", "(?i)\\p{Lu}", "(?i)\\P{Lu}",
    "[[:alpha:]]", "[:alpha:]", "[[:^alpha:]]", "[[:foo:]]", "[:a]", "[^:a:]", "\\R", "\\R\\n",
    "a\\Rb", "\\X", "\\X\\X", "\\h", "\\H", "\\v", "\\V", "a$", "a$\\n", "a$\\r\\n", "(?m)^b",
    "(?m)a$\\nb", "(?m)a\\n^b", "a\\Z", "a\\Z\\n", "a\\z", "(?s).", "(?s).*", "(?s)a.b", ".", "a.",
    "(?d).", "(?d)a$\\n", "(?w)a", "(?u)a", "(?)a", "(?>a|ab)c", "(?>a*)b", "a*+b", "a?+a",
    "a{1,2}+a",
    "(?<=a)b", "a(?<=a)b", "(?<!a)b", "(?<=a*)b", "(?<=a{1,3})b", "a(?<=(a))b", "(?<=ab|c)a",
    "(?<=[ab]?+)a", "()", "(|a)", "(a|)*b", "(a*)*b", "|", "a|", "a|*", "(*)", "[", "(", ")", "[a",
    "[]", "[^]", "[a[b]c]", "\\", "a\\", "?", "+", "*", "\\Qa.b\\E", "\\Q\\E", "a\\Q*\\E", "\\E",
    "(?i)k", "(?i)K", "(?i)s", "(?i)[k]", "(?i)[^k]", "(?i)[a-c]", "(?i)σ", "\\w", "\\W", "\\d",
    "\\s",
    "[\\w-b]", "[a-\\w]", "[a-\\h]", "[a-\\p{L}]", "[\\d-z]", "[a-\\x62]", "[b-a]", "[a-b-c]",
    "[a-b-[c]]", "[!--]", "(?i", "(?", "(?P<n>a)", "(?<1>a)", "(?<n a)", "(?'n'a)", "(?(1)a)",
    "[[a]b&&b]", "[^a&&b]", "[a-z&&[aeiou]&&[a]]", "[a&&b--c]", "[&&a]", "[-]", "[&]", "[^-]",
    "[^a-]", "[\\]]", "[{}]", "[$]", "[.]", "[|]", "[a-c-e]", "[a\\-c]", "[^^]", "a{0}", "a{0,0}b",
    "(a){0}b", "(?:)", "(?:)*", "$^", "^$", "\\A\\Z", "\\B", "\\b", "a\\b", "\\ba", "a\\Bb",
    "[[:alpha:]--[a]]", "[\\p{L}--a]", "[\\p{L}&[ab]]", "[\\p{L}-[ab]]", "[\\w-[ab]]", "[\\w&[ab]]",
    "[\\h-[ab]]", "[a-\\Qb\\E]", "(a)(?i)b", "((?i)a)b", "(a|b(?i)c|d)e", "(?:a|ab)(?:c|bcd)?",
    "(?i)(a)\\1", "a{99999999}", "(?s:.)", "(?-s:.)", "(?--s)a", "(?:a", "(?<n>)", "(?<!)", "(?=)",
    "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,4}", "(?<=\\d)(?=(\\d{3})+$)", "^\\d{3}-\\d{4}$",
    "(?=.*[a-z])(?=.*\\d).{2,}", "^(?!.*\\.\\.)[\\w.]+$", "\\p{Alnum}+", "^\\s*$|^.+$",
  ]
}

/// Makes random expressions and texts.
struct PatternGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func number(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private mutating func one(_ items: [String]) -> String { items[number(items.count)] }

  private static let assertions = ["\\b", "\\B", "^", "$", "\\Z", "\\z", "\\A"]
  private static let atoms = [
    "a", "b", "c", ".", "\\w", "\\d", "\\s", "[ab]", "[^a]", "[a-c&&[^b]]", "(?i)a", "\\R", "\\X",
    "é",
    "\\n", "\\r", "\\p{Lu}", "[[:alpha:]]", "(?s).", "\\h", "\\v", "\\x{61}", "\\Qa\\E", "[\\w-]",
    "(?i)B",
  ]
  private static let counts = [
    "", "", "", "", "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{0,2}?",
    "{1,}",
    "{2}+", "{1,3}+",
  ]
  private static let groups = [
    "(", "(?:", "(?>", "(?=", "(?!", "(", "(?i:", "(?<=", "(?<!", "(?s:", "(?m:",
  ]
  private static let groupCounts = [
    "", "", "?", "??", "{2}", "{1,2}", "?+", "{1,2}?", "{2}+", "*", "+", "*?", "+?", "*+", "++",
  ]

  /// Makes an expression. It never repeats a part that may be empty, because ICU does not end for some such
  /// expressions.
  mutating func pattern(depth: Int) -> (text: String, mayBeEmpty: Bool) {
    var (text, mayBeEmpty, oneMayBeEmpty) = ("", true, false)
    for place in 0..<(1 + number(3)) {
      if place > 0, number(5) == 0 {
        text += "|"
        (oneMayBeEmpty, mayBeEmpty) = (oneMayBeEmpty || mayBeEmpty, true)
      }
      let part =
        depth > 0 && number(3) == 0
        ? group(depth: depth) : number(12) == 0 ? ("\\1" + one(["", "?"]), true) : atom()
      text += part.0
      if !part.1 { mayBeEmpty = false }
    }
    return (text, mayBeEmpty || oneMayBeEmpty)
  }

  private mutating func group(depth: Int) -> (String, Bool) {
    let kind = one(Self.groups)
    let isLook = ["(?=", "(?!", "(?<=", "(?<!"].contains(kind)
    let inner = pattern(depth: depth - 1)
    let count = isLook ? "" : Self.groupCounts[number(inner.mayBeEmpty ? 9 : 15)]
    let takesNone = ["?", "??", "?+", "*", "*?", "*+"].contains(count)
    return (kind + inner.text + ")" + count, inner.mayBeEmpty || isLook || takesNone)
  }

  private mutating func atom() -> (String, Bool) {
    if number(5) == 0 { return (one(Self.assertions), true) }
    let count = one(Self.counts)
    let takesNone = count.hasPrefix("?") || count.hasPrefix("*") || count.hasPrefix("{0")
    return (one(Self.atoms) + count, takesNone)
  }

  mutating func text() -> String {
    let parts = [
      "a", "b", "c", "A", "B", " ", "\n", "\r\n", "\r", "1", "_", "é", "e\u{301}", "🙂", "-", "a",
      "b",
    ]
    return (0..<number(8)).map { _ in one(parts) }.joined()
  }
}
