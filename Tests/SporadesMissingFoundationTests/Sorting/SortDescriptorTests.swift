// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

@Suite struct SortDescriptorTests {
  private let people = Person.ann.friends + [Person.ann]

  private func names(_ descriptors: NSSortDescriptor...) -> [String] {
    (people as NSArray).sortedArray(using: descriptors).compactMap { ($0 as? Person)?.name }
  }

  @Test func sortsByKeys() {
    #expect(names(NSSortDescriptor(key: "age", ascending: true)) == ["Ben", "Zoë", "Ann"])
    #expect(names(NSSortDescriptor(key: "age", ascending: false)) == ["Ann", "Zoë", "Ben"])
    #expect(names(NSSortDescriptor(key: "name", ascending: true)) == ["Ann", "Ben", "Zoë"])
    #expect(names(NSSortDescriptor(key: "boss.age", ascending: true)) == ["Ben", "Zoë", "Ann"])
    // Missing values come first.
    #expect(names(NSSortDescriptor(key: "nick", ascending: true)).last == "Ann")
    #expect(
      names(NSSortDescriptor(key: "boss", ascending: true, comparator: { _, _ in .orderedSame }))
        .last == "Ann")
    #expect(
      names(
        NSSortDescriptor(key: "isMember", ascending: false),
        NSSortDescriptor(key: "age", ascending: true))
        == ["Zoë", "Ann", "Ben"])
  }

  @Test func sortsByClosuresAndMethods() {
    let byLength = NSSortDescriptor(key: "name", ascending: true) { left, right in
      (right as? String ?? "").compare(left as? String ?? "")
    }
    #expect(names(byLength) == ["Zoë", "Ben", "Ann"])
    let byMethod = NSSortDescriptor(
      key: "name", ascending: true, selector: Selector("caseInsensitiveCompare:"))
    #expect(names(byMethod) == ["Ann", "Ben", "Zoë"])
    let texts: NSArray = ["a10", "a9", "B"]
    let standard = NSSortDescriptor(
      key: nil, ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
    #expect(texts.sortedArray(using: [standard]) as? [String] == ["a9", "a10", "B"])
    #expect(
      texts.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [String]
        == ["B", "a10", "a9"])
  }

  @Test func sortsByKeyPaths() {
    #expect(
      names(NSSortDescriptor(keyPath: \Person.age, ascending: true)) == ["Ben", "Zoë", "Ann"])
    #expect(names(NSSortDescriptor(keyPath: \Person.nick, ascending: false)).first == "Ann")
    #expect(names(NSSortDescriptor(SortDescriptor(\Person.age, order: .reverse))).first == "Ann")
  }

  @Test func descriptorsAreValues() {
    let one = NSSortDescriptor(key: "age", ascending: true)
    #expect(one.key == "age")
    #expect(one.ascending)
    #expect(one == NSSortDescriptor(key: "age", ascending: true))
    #expect(one.hash == NSSortDescriptor(key: "age", ascending: true).hash)
    #expect(one != NSSortDescriptor(key: "age", ascending: false))
    #expect(one != NSSortDescriptor(key: "name", ascending: true))
    #expect(one != NSSortDescriptor(key: "age", ascending: true) { _, _ in .orderedSame })
    let reversed = one.reversedSortDescriptor as? NSSortDescriptor
    #expect(reversed == NSSortDescriptor(key: "age", ascending: false))
    #expect(one.compare(people[0], to: people[1]) == .orderedAscending)
    #expect((one.copy() as? NSSortDescriptor) == one)
    #expect(one.description == "(age, ascending, compare:)")
    #expect(one.selector == Selector("compare:"))
    #expect(NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }.selector == nil)
    one.allowEvaluation()
  }

  @Test func descriptorsAreTermsOfTheLibrary() throws {
    #expect(
      try NSSortDescriptor(key: "boss.age", ascending: false).sortTerm
        == SortTerm("boss.age", ascending: false))
    #expect(
      try NSSortDescriptor(
        key: "name", ascending: true, selector: Selector("localizedStandardCompare:")
      ).sortTerm == SortTerm("name", collation: .localizedStandard))
    #expect(
      try NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:")
        .sortTerm
        == SortTerm("name", options: .caseInsensitive))
    #expect(throws: FetchPredicateError.self) {
      try NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }.sortTerm
    }
    #expect(throws: FetchPredicateError.self) {
      try NSSortDescriptor(keyPath: \Person.score, ascending: true).sortTerm
    }
    let term = SortTerm("name", ascending: false, collation: .localized)
    #expect(try NSSortDescriptor(term).sortTerm == term)
  }
}
