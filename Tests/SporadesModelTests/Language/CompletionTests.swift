// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct CompletionTests {
  private func offers(_ text: String) -> [String] {
    FetchPredicate.completions(after: text, in: TestModel.shape("Person"), TestModel.model).map(
      \.text)
  }

  /// Formats in parts: each part must be among what may follow the parts before it.
  @Test(arguments: [
    ["age", ">", "%@", "AND", "name", "BEGINSWITH", "[", "cd", "]", "%@", "OR", "TRUEPREDICATE"],
    ["NOT", "(", "boss", ".", "name", "==", "''", "||", "age", "!=", "0", ")"],
    ["ANY", "pets", ".", "toys", ".", "price", ">=", "$"],
    ["NONE", "staff", ".", "age", "BETWEEN", "{", "0", ",", "0", "}"],
    ["pets", ".", "@max", ".", "age", "+", "0", "<", "age", "*", "0"],
    [
      "SUBQUERY(", "pets", ",", "$x", ",", "$x", ".", "age", ">", "SELF", ".", "age", ")", ".",
      "@count", ">", "0",
    ],
    [
      "SUBQUERY(", "pets", ",", "$x", ",", "SUBQUERY(", "$x", ".", "toys", ",", "$x", ",", "$x",
      ".", "price",
      "=", "0", ")", ".", "@count", "!=", "0", ")", ".", "@avg", ".", "age", "<", "0",
    ],
    ["TERNARY(", "age", ">", "0", ",", "name", ",", "''", ")", "LIKE", "%@"],
    ["uppercase:(", "name", ")", "IN", "{", "''", "}"],
    ["modulus:by:(", "age", ",", "0", ")", "==", "0"],
    ["CAST(", "age", ",", "'NSString'", ")", "CONTAINS", "''"],
    ["pets", "[", "SIZE", "]", ">", "0"],
    [
      "''", "IN", "pets", ".", "@distinctUnionOfObjects", ".", "name", "UNION", "staff", ".",
      "name",
    ],
    ["SELF", "IN", "%@", "&&", "born", "<", "now("], ["address", ".", "street", "ENDSWITH", "%@"],
    ["age", "&", "0", "==", "~", "0"], ["!", "isActive", "==", "YES"], ["%K", "<=", "%@"],
  ])
  func everyTrueContinuationIsOffered(parts: [String]) {
    var text = ""
    for part in parts {
      let offered = offers(text)
      #expect(offered.contains(part), "after \(text): \(part)")
      if part.count > 1, part.allSatisfy(\.isLetter), part != "cd" {
        #expect(offers(text + part.prefix(1)).contains(part), "within \(text)\(part)")
      }
      text += part
      text += part.last?.isLetter == true && part != "cd" && part != "$x" ? " " : ""
    }
  }

  @Test func operatorsFitTheTypeOfTheLeftSide() {
    #expect(offers("name ").contains("LIKE"))
    #expect(!offers("age ").contains("LIKE"))
    #expect(offers("age ").contains("*"))
    #expect(!offers("name ").contains("*"))
    #expect(!offers("boss ").contains("<"))
    #expect(!offers("age ").contains("AND"))
    #expect(offers("age > 3 ").contains("AND"))
    #expect(!offers("age > 3 ").contains(")"))
    #expect(offers("(age > 3 ").contains(")"))
  }

  @Test func whatIsRefusedAtThePlaceIsNotOffered() {
    let missing: [(text: String, offers: [String])] = [
      ("pets ", ["==", "<", "LIKE", "BETWEEN", "IN"]), ("ANY pets ", ["<", "LIKE", "BETWEEN"]),
      ("ANY pets.age ", ["LIKE", "BEGINSWITH"]), ("born ", ["*", "/", "&", "LIKE"]),
      ("isActive ", ["LIKE"]), ("ANY age ", ["==", "IN"]), ("age", [".", "["]), ("boss", ["["]),
      ("CAST(born, ", ["'NSString'", "'NSUUID'"]), ("", ["random("]),
      ("SUBQUERY(pets, $p, $p.name ", ["+"]),
    ]
    for (text, refused) in missing {
      let offered = Set(offers(text)).intersection(refused)
      #expect(offered.isEmpty, "after \(text): \(offered)")
    }
    let present: [(text: String, offers: [String])] = [
      ("pets ", ["CONTAINS"]), ("ANY pets ", ["==", "IN"]), ("ANY pets.name ", ["LIKE", "<"]),
      ("born ", ["+", "-", "BETWEEN"]), ("CAST(born, ", ["'NSNumber'", "'NSDate'"]),
      ("pets", [".", "["]), ("boss", ["."]), ("address", ["."]), ("CAST('x', ", ["'NSUUID'"]),
      ("SUBQUERY(pets, $p, $p.age ", ["+", "<"]), ("%K ", ["LIKE", "+", "<"]),
    ]
    for (text, fitting) in present {
      let lacking = Set(fitting).subtracting(offers(text))
      #expect(lacking.isEmpty, "after \(text): \(lacking)")
    }
  }

  @Test func aWordThatIsBegunIsCompleted() {
    #expect(offers("na").contains("name"))
    #expect(offers("age > 3 an").contains("AND"))
    #expect(offers("pets.@co").contains("@count"))
    #expect(offers("name BEG") == ["BEGINSWITH"])
    #expect(offers("boss.na").contains("name"))
    #expect(offers("upper").contains("uppercase:("))
  }

  @Test func namesAreThoseOfTheEntityAtThePlace() {
    #expect(offers("pets.").contains("toys"))
    #expect(!offers("pets.").contains("boss"))
    #expect(offers("SUBQUERY(pets, $p, $p.toys.").contains("price"))
    #expect(!offers("").contains("mood"), "no store keeps a transient attribute")
  }

  @Test(arguments: ["age > 3 )", "age == 'x", "== ", "age > > ", "nobody.", "a \u{7F}"])
  func whatNoTextCompletesHasNoOffers(text: String) { #expect(offers(text) == []) }
}
