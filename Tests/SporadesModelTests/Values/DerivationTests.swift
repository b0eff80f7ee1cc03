// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct DerivationTests {
  @Test func readsBothSpellingsOfCollections() {
    #expect(Derivation("pets.@count") == .count(["pets"]))
    #expect(Derivation("count:(pets)") == .count(["pets"]))
    #expect(Derivation("owner.pets.@sum.age") == .sum(["owner", "pets", "age"]))
    #expect(Derivation("sum:(owner.pets.age)") == .sum(["owner", "pets", "age"]))
  }

  @Test func spellsExpressionsAsVersionHashesDo() {
    #expect(Derivation("pages.@count")?.text == "count:(pages)")
    #expect(Derivation("primaryLabel.code")?.text == "primaryLabel.code")
    #expect(Derivation(" canonical:( name )")?.text == "canonical:(name)")
    #expect(Derivation("now()")?.text == "now()")
  }

  @Test(arguments: ["", ".", "a..b", "a.", "@count", "a.@", "sum:()", "a:(b", "f(x)", "1"])
  func refusesOtherExpressions(text: String) {
    #expect(Derivation(text) == nil)
  }
}
