// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesSearch

/// Texts that people type, and what a search understands.
@Suite struct SearchLanguageTests {
  private static let columns = ["title", "text", "author.name"]

  private func parse(_ typed: String, _ form: SearchForm = .words) -> SearchQuery {
    Search.parse(typed, columns: Self.columns, form: form)
  }

  @Test(arguments: [
    // Words and phrases.
    ("", ""), ("  ", ""), ("Green Ham", "green ham"), ("\"Green Ham\"", "\"green ham\""),
    ("\"green ham", "\"green ham\""), ("“green ham” eggs", "\"green ham\" eggs"), ("\"\" a", "a"),
    ("e-mail", "\"e mail\""), ("3.14", "\"3 14\""), ("... a !?", "a"), ("a\0b", "a b"),
    ("don’t", "\"don t\""),
    ("\"a\"\"b\"", "\"a b\""), ("a\"b c\"d", "a \"b c\" d"), ("x:y", "\"x y\""),
    ("http://a.b", "\"http a b\""),
    // Prefixes.
    ("ham*", "ham*"), ("\"green ha\"*", "\"green ha\"*"), ("ham* eggs", "ham* eggs"), ("*", ""),
    ("*ham", "ham"), ("h*m", "\"h m\""), ("ham**", "ham*"), ("ham*,", "ham*"), ("ham *", "ham"),
    ("e-ma*", "\"e ma\"*"),
    // Anchors and joined words.
    ("^ham", "^ham"), ("^\"a b\"", "^\"a b\""), ("^", ""), ("^^ham*", "^ham*"), ("^ ham", "ham"),
    ("a + b", "\"a b\""), ("\"a\"+\"b c\"", "\"a b c\""), ("a +b", "a b"), ("a + b*", "\"a b\"*"),
    ("a* + b", "\"a b\""), ("c++", "c"), ("a +", "a"), ("+ a", "a"), ("a + (b)", "a b"),
    ("a + OR b", "a OR b"),
    // Operators.
    ("a AND b", "a b"), ("a OR b", "a OR b"), ("a or b", "a or b"), ("a NOT b", "a NOT b"),
    ("a -b", "a NOT b"), ("a AND NOT b", "a NOT b"), ("-b a", "a NOT b"), ("NOT b a", "a NOT b"),
    ("a b OR c d", "a b OR c d"), ("a AND b OR c NOT d", "a b OR c NOT d"), ("a - b", "a b"),
    ("a -b -c d", "a d NOT b NOT c"), ("a NOT (b c)", "a NOT (b c)"),
    ("a -(b OR c)", "a NOT b NOT c"),
    ("(a OR b) c", "(a OR b) c"), ("((a b) c)", "a b c"), ("(a NOT b) NOT c", "(a NOT b) NOT c"),
    ("a OR (b OR c)", "a OR b OR c"), ("(a OR b) -c", "(a OR b) NOT c"), ("ANDY", "andy"),
    // Operators without operands.
    ("AND", ""), ("OR", ""), ("NOT", ""), ("a AND", "a"), ("OR a", "a"), ("a OR OR b", "a OR b"),
    ("a NOT", "a"), ("AND AND a", "a"), ("a NOT NOT b", "a NOT b"), ("a NOT OR b", "a OR b"),
    ("--a b", "b NOT a"),
    // Exclusions alone.
    ("-a", ""), ("NOT a", ""), ("-a OR b", "b"), ("(-a) b", ""), ("b NOT (-a)", "b"),
    ("a -...", "a"),
    // Parentheses out of order.
    ("(", ""), (")", ""), ("(a", "a"), ("a)", "a"), (")a( b", "a b"), ("()", ""),
    ("(a OR b", "a OR b"),
    ("a) OR b", "a OR b"), ("((a) b", "a b"),
  ]) func textsAreUnderstood(typed: String, understood: String) {
    let query = parse(typed)
    #expect(query.description == understood)
    #expect(parse(understood) == query)
    #expect(query.isEmpty == understood.isEmpty)
  }

  @Test(arguments: [
    ("title:ham", "title:ham"), ("TITLE:ham", "title:ham"), ("author.name:x", "author.name:x"),
    ("title: ham", "title:ham"), ("title:(a OR b)", "title:(a OR b)"), ("title:(a)", "title:a"),
    ("{title text}:ham", "{title text}:ham"), ("{text, title} : ham", "{title text}:ham"),
    ("-title:ham", "-title:ham"), ("-{title text}:ham", "-{title text}:ham"),
    ("title:^a", "title:^a"), ("b title:-a", "b NOT title:a"), ("title:-a", ""),
    ("b {title text}:-\"a c\"", "b NOT {title text}:\"a c\""), ("b title:-text:a", "b title:a"),
    ("a -title:ham", "a -title:ham"), ("a NOT title:ham", "a NOT title:ham"),
    ("a -(title:ham)", "a NOT title:ham"), ("title:\"a b\"* c", "title:\"a b\"* c"),
    ("nothing:ham", "\"nothing ham\""), ("{title nothing}:ham", "title \"nothing ham\""),
    ("{title", "title"), ("title:", "title"), ("title: OR a", "title OR a"),
    ("(title:) a", "title a"),
    ("title:text:ham", ""), ("{title text}:text:ham", "text:ham"),
    ("-title:-text:a", "-{title text}:a"),
    ("title:(text:a OR b)", "title:(text:a OR b)"), ("title:NEAR(a b)", "title:NEAR(a b, 10)"),
    ("{title title}:a", "title:a"), ("title:-text:a", "title:a"),
    ("-{title text author.name}:a", ""),
    ("{}:a", "a"), ("title:...", ""), ("b title:...", "b"),
  ]) func columnsAreUnderstood(typed: String, understood: String) {
    let query = parse(typed)
    #expect(query.description == understood)
    #expect(parse(understood) == query)
  }

  @Test(arguments: [
    ("NEAR(a b)", "NEAR(a b, 10)"), ("NEAR(a \"b c\", 5)", "NEAR(a \"b c\", 5)"),
    ("NEAR(a, 5)", "a"),
    ("NEAR(a b", "NEAR(a b, 10)"), ("NEAR()", ""), ("NEAR (a b)", "near a b"),
    ("near(a b)", "near a b"),
    ("NEAR(a, b, 3)", "NEAR(a b, 3)"), ("NEAR(a b, 0)", "NEAR(a b, 0)"),
    ("NEAR(a (b c), 2)", "NEAR(a b c, 2)"),
    ("NEAR(a OR b, 2)", "NEAR(a b, 2)"), ("NEAR(a b, x)", "NEAR(a b x, 10)"),
    ("NEAR(a b,)", "NEAR(a b, 10)"),
    ("NEAR(a b, 99999999999999999999999)", "NEAR(a b, 1000000)"),
    ("NEAR(^a b* + c)", "NEAR(a \"b c\", 10)"),
    ("NEAR(a b, -5)", "NEAR(a b 5, 10)"), ("-NEAR(a b) c", "c NOT NEAR(a b, 10)"),
    ("NEAR(a b*, 2) c", "NEAR(a b*, 2) c"),
    ("NEAR(a b, 2) OR c", "NEAR(a b, 2) OR c"),
  ]) func nearIsUnderstood(typed: String, understood: String) {
    let query = parse(typed)
    #expect(query.description == understood)
    #expect(parse(understood) == query)
  }

  @Test(arguments: [
    ("a b*", "\"a\" AND \"b\" *"), ("^\"a b\" OR c", "^ \"a b\" OR \"c\""),
    ("a b NOT c", "(\"a\" AND \"b\") NOT \"c\""), ("title:a", "{c0} : \"a\""),
    ("-title:a", "{c1 c2} : \"a\""), ("text:(a -b)", "{c1} : \"a\" NOT {c1} : \"b\""),
    ("{title text}:NEAR(a b, 3)", "{c0 c1} : NEAR(\"a\" \"b\", 3)"),
    ("title:(text:a OR b)", "{c0} : \"b\""),
    ("{author.name title text}:a", "\"a\""), ("a -(title:text:b)", "\"a\""),
  ]) func expressionsForFTS5(typed: String, expression: String) {
    #expect(parse(typed).fts5 == expression)
  }

  @Test(arguments: [
    ("abcd", "\"abc bcd\""), ("abc", "\"abc\""), ("ab", "\"ab\" *"), ("a*", "\"a\" *"),
    ("abcd*", "\"abc bcd\""),
    ("日本", "\"日本\" *"), ("e-mail", "\"e mai ail\""), ("\"ab cd\"", "\"ab b cd\" *"),
    ("^ab", "^ \"ab\" *"),
    ("\"abcd ef\"", "\"abc bcd cd d ef\" *"),
  ]) func expressionsOfParts(typed: String, expression: String) {
    let query = parse(typed, .parts)
    #expect(query.fts5 == expression)
    #expect(parse(query.description, .parts) == query)
  }

  @Test func theTreeIsOpen() throws {
    let query = parse("title:ha* -\"b c\"")
    guard case .without(.in(let columns, .phrase(let found)), .phrase(let excluded)) = query.root
    else {
      Issue.record("\(query)")
      return
    }
    #expect(columns == ["title"] && found.words == ["ha"] && found.isPrefix && !found.isAtStart)
    #expect(excluded.words == ["b", "c"] && !excluded.isPrefix)
    #expect(query.columns == Self.columns && query.form == .words)
    #expect(Set([query, parse("title:ha* NOT \"b c\""), parse("x")]).count == 2)
  }

  @Test func aNameInItsOwnCaseComesFirst() {
    let query = Search.parse("Name:a name:b NAME:c", columns: ["name", "Name"])
    #expect(query.description == "Name:a name:b name:c")
  }

  @Test func aSearchKeepsWhatWasTyped() {
    let search: Search = "Ham  OR"
    #expect(search.typed == "Ham  OR" && search.description == "Ham  OR")
    #expect(search.query().description == "ham" && search == Search("Ham  OR"))
  }
}
