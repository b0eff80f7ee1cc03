// SPDX-License-Identifier: MIT
import Foundation
import SporadesTesting
import Testing

@testable import SporadesLive

/// The steps between two lists, without objects.
@Suite struct ListChangesTests {
  /// A member of a list in a section.
  private struct Member: Equatable {
    var name: Int
    var section: String
  }

  @Test func theLongestRiseIsFound() {
    #expect(KeptOrder.longestRise([]) == [])
    #expect(KeptOrder.longestRise([3, 1, 2, 0, 4]) == [1, 2, 4])
    #expect(KeptOrder.longestRise([5, 4, 3]).count == 1)
  }

  @Test func sectionsThatAreInTwoPiecesAreRefused() throws {
    #expect(throws: SectionTable.Repetition(name: "a", position: 2)) {
      try SectionTable(names: ["a", "b", "a"])
    }
    let table = try SectionTable(names: ["a", "a", "b"])
    #expect(throws: SectionTable.Repetition(name: "a", position: 2)) {
      try table.inserting([("c", 1)])
    }
    #expect(try table.inserting([("b", 2)]).sections.map(\.range.count) == [2, 2])
    #expect(table.removing([2]).sections.map(\.name) == ["a"])
    #expect(table.path(at: 2) == [1, 0])
    #expect(table.position(of: [1, 1]) == nil)
  }

  @Test(arguments: 1...40)
  func stepsLeadFromAnyListToAnyOther(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<100 {
      let old = list(&random)
      let new = changed(old, &random)
      let (from, to) = (try table(old), try table(new))
      let names = Set(old.map(\.name)).union(new.map(\.name))
      let kept = keptMembers(old, new)
      let all = names.filter { !kept.contains($0) }.sorted()
      let candidates = all.map { name in
        ListChanges.Candidate(
          old: old.firstIndex { $0.name == name }, new: new.firstIndex { $0.name == name },
          isChanged: true)
      }
      let changes = ListChanges(from: from, to: to, candidates)
      #expect(apply(changes, to: old, new, from, to))
    }
  }

  private func table(_ list: [Member]) throws -> SectionTable {
    try SectionTable(names: list.map(\.section))
  }

  private func list(_ random: inout SeededGenerator) -> [Member] {
    var list: [Member] = []
    var name = 0
    for section in ["a", "b", "c", "d"].shuffled(using: &random) {
      for _ in 0..<Int.random(in: 0..<4, using: &random) {
        list.append(Member(name: name, section: section))
        name += 1
      }
    }
    return list
  }

  /// Moves some members, and puts the sections together again.
  private func changed(_ old: [Member], _ random: inout SeededGenerator) -> [Member] {
    var new = old.filter { _ in Int.random(in: 0..<6, using: &random) > 0 }
    for name in 100..<100 + Int.random(in: 0..<3, using: &random) {
      new.append(Member(name: name, section: ["a", "b", "e"].randomElement(using: &random) ?? "a"))
    }
    if Bool.random(using: &random) { new.shuffle(using: &random) }
    var sections: [String] = []
    for member in new where !sections.contains(member.section) { sections.append(member.section) }
    return sections.flatMap { section in new.filter { $0.section == section } }
  }

  /// Members of both lists that are in one order and in the same sections; only a part of them, so
  /// that some candidates stay.
  private func keptMembers(_ old: [Member], _ new: [Member]) -> Set<Int> {
    let common = old.filter { new.contains($0) }
    let places = common.map { member in new.firstIndex { $0 == member } ?? 0 }
    let rise = KeptOrder.longestRise(places)
    return Set(rise.filter { $0 % 2 == 0 }.map { common[$0].name })
  }

  /// Takes the steps as a table view does, and compares.
  private func apply(
    _ changes: ListChanges, to old: [Member], _ new: [Member], _ from: SectionTable,
    _ to: SectionTable
  ) -> Bool {
    var sections = from.sections.map { Array(old[$0.range]) }
    let leaving = changes.steps.compactMap { step -> Int? in
      if case .update = step.step { return nil }
      return step.step.old
    }
    let coming = changes.steps.compactMap { step -> Int? in
      if case .update = step.step { return nil }
      return step.step.new
    }
    for position in leaving.sorted(by: >) {
      let path = from.path(at: position)
      sections[path[0]].remove(at: path[1])
    }
    for section in changes.deletedSections.sorted(by: >) {
      guard sections[section].isEmpty else { return false }
      sections.remove(at: section)
    }
    for section in changes.insertedSections.sorted() { sections.insert([], at: section) }
    for position in coming.sorted() {
      let path = to.path(at: position)
      sections[path[0]].insert(new[position], at: path[1])
    }
    return sections == to.sections.map { Array(new[$0.range]) }
  }
}
