// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// The sections of a flat list, in their order: the name of each, and the positions of its members.
///
/// An undivided list has exactly one section, which may be empty. A divided one has no empty section.
struct SectionTable: Equatable {
  /// One section of the list.
  struct Section: Equatable {
    let name: String
    var range: Range<Int>
  }

  /// Two sections have the same name, because a member in between has another one.
  struct Repetition: Error, Equatable {
    let name: String
    /// The position of the member that begins the second section.
    let position: Int
  }

  let isDivided: Bool
  private(set) var sections: [Section] = []

  /// The table of a list without sections.
  init(undivided count: Int) {
    isDivided = false
    sections = [Section(name: "", range: 0..<count)]
  }

  /// The table of a list whose members have the names.
  init(names: some Sequence<String>) throws(Repetition) {
    isDivided = true
    for name in names { append(name, 1) }
    try checkNames()
  }

  private init(isDivided: Bool) { self.isDivided = isDivided }

  /// The number of members of the list.
  var count: Int { sections.last?.range.upperBound ?? 0 }

  private mutating func append(_ name: String, _ count: Int) {
    guard count > 0 else { return }
    let end = self.count
    if let last = sections.last, last.name == name {
      sections[sections.count - 1].range = last.range.lowerBound..<end + count
    } else {
      sections.append(Section(name: name, range: end..<end + count))
    }
  }

  private func checkNames() throws(Repetition) {
    var names = Set<String>(minimumCapacity: sections.count)
    for section in sections where !names.insert(section.name).inserted {
      throw Repetition(name: section.name, position: section.range.lowerBound)
    }
  }

  // MARK: - Changes

  /// The table without the members at the positions, which ascend. A section that loses all members
  /// goes, too.
  func removing(_ positions: [Int]) -> SectionTable {
    guard isDivided else { return SectionTable(undivided: count - positions.count) }
    var table = SectionTable(isDivided: true)
    var rest = positions[...]
    for section in sections {
      let removed = rest.prefix { $0 < section.range.upperBound }
      rest = rest.dropFirst(removed.count)
      table.append(section.name, section.range.count - removed.count)
    }
    return table
  }

  /// The table with new members. Each comes before the member that now has the position; the positions
  /// ascend.
  func inserting(
    _ members: [(name: String, position: Int)]
  ) throws(Repetition) -> SectionTable {
    guard isDivided else { return SectionTable(undivided: count + members.count) }
    var table = SectionTable(isDivided: true)
    var (rest, done) = (members[...], 0)
    for section in sections {
      while let next = rest.first, next.position < section.range.upperBound {
        table.append(section.name, next.position - done)
        table.append(next.name, 1)
        (rest, done) = (rest.dropFirst(), next.position)
      }
      table.append(section.name, section.range.upperBound - done)
      done = section.range.upperBound
    }
    for member in rest { table.append(member.name, 1) }
    try table.checkNames()
    return table
  }

  // MARK: - Places

  /// The number of the section that holds the position.
  func section(at position: Int) -> Int {
    (0..<sections.count).division { sections[$0].range.upperBound <= position }
  }

  /// The index path of a position in the flat list.
  func path(at position: Int) -> IndexPath {
    let section = section(at: position)
    return IndexPath(
      indexes: [section, position - sections[section].range.lowerBound])
  }

  /// The position of an index path in the flat list; nil if the list has no such path.
  func position(of path: IndexPath) -> Int? {
    guard path.count == 2, sections.indices.contains(path[0]) else { return nil }
    let range = sections[path[0]].range
    return path[1] >= 0 && path[1] < range.count ? range.lowerBound + path[1] : nil
  }
}
