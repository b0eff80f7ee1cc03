// SPDX-License-Identifier: MIT

/// The steps from an old list to a new one, as a table view takes them.
///
/// Rules:
/// 1. Positions that members leave are those of the old list; positions that they take are those of the
///    new one. Sections are counted in the same way.
/// 2. A member that only shifts, because others came or went before it, is in no step.
/// 3. A member moves if its section or its order among those that stay is another one. A move includes
///    the change of its values.
/// 4. A section that has lost its place goes and comes again, and all its members move.
struct ListChanges: Equatable {
  /// A member that may have moved, came or went. All other members are in both lists, in the same order
  /// and in sections of the same names.
  struct Candidate {
    /// The position in the old list; nil if the member came.
    var old: Int?
    /// The position in the new list; nil if the member went.
    var new: Int?
    /// The values of the member changed.
    var isChanged: Bool
  }

  /// A step of one member.
  enum Step: Hashable {
    case insert(new: Int)
    case delete(old: Int)
    case move(old: Int, new: Int)
    case update(old: Int, new: Int)
  }

  private(set) var deletedSections: [Int] = []
  private(set) var insertedSections: [Int] = []
  /// The steps in the order of the candidates, each with the index of its candidate.
  private(set) var steps: [(candidate: Int, step: Step)] = []

  var isEmpty: Bool { deletedSections.isEmpty && insertedSections.isEmpty && steps.isEmpty }

  /// Compares two lists that differ in the candidates alone.
  init(from old: SectionTable, to new: SectionTable, _ candidates: [Candidate]) {
    let keptSections = Self.keptSections(old, new, candidates)
    let kept = Set(keptSections.keys)
    deletedSections = old.sections.indices.filter { !kept.contains($0) }
    let keptNew = Set(keptSections.values)
    insertedSections = new.sections.indices.filter { !keptNew.contains($0) }
    let staying = Self.stayingCandidates(old, new, candidates, keptSections)
    for (index, candidate) in candidates.enumerated() {
      guard let step = Self.step(of: candidate, isStaying: staying.contains(index)) else {
        continue
      }
      steps.append((index, step))
    }
  }

  static func == (left: ListChanges, right: ListChanges) -> Bool {
    left.deletedSections == right.deletedSections && left.insertedSections == right.insertedSections
      && left.steps.elementsEqual(right.steps) { $0 == $1 }
  }

  private static func step(of candidate: Candidate, isStaying: Bool) -> Step? {
    switch (candidate.old, candidate.new) {
    case (nil, nil): nil
    case (nil, let new?): .insert(new: new)
    case (let old?, nil): .delete(old: old)
    case (let old?, let new?) where !isStaying: .move(old: old, new: new)
    case (let old?, let new?): candidate.isChanged ? .update(old: old, new: new) : nil
    }
  }

  // MARK: - Sections

  /// The sections that keep their places: the number of each in the old list, and in the new one.
  private static func keptSections(
    _ old: SectionTable, _ new: SectionTable, _ candidates: [Candidate]
  ) -> [Int: Int] {
    guard old.isDivided, new.isDivided else {
      return old.isDivided == new.isDivided ? [0: 0] : [:]
    }
    let places = Dictionary(
      uniqueKeysWithValues: new.sections.enumerated().map { ($1.name, $0) })
    let common = old.sections.indices.compactMap { place in
      places[old.sections[place].name].map { (old: place, new: $0) }
    }
    guard !zip(common, common.dropFirst()).allSatisfy({ $0.new < $1.new }) else {
      return Dictionary(uniqueKeysWithValues: common.map { ($0.old, $0.new) })
    }
    return keptSections(of: common, heldIn: heldSections(old, candidates))
  }

  /// The old sections with a member that is no candidate.
  private static func heldSections(_ old: SectionTable, _ candidates: [Candidate]) -> Set<Int> {
    var left: [Int: Int] = [:]
    for position in candidates.compactMap(\.old) {
      left[old.section(at: position), default: 0] += 1
    }
    return Set(old.sections.indices.filter { old.sections[$0].range.count > left[$0] ?? 0 })
  }

  private static func keptSections(
    of common: [(old: Int, new: Int)], heldIn held: Set<Int>
  ) -> [Int: Int] {
    let anchors = common.filter { held.contains($0.old) }
    var kept = Dictionary(uniqueKeysWithValues: anchors.map { ($0.old, $0.new) })
    let free = common.filter { !held.contains($0.old) }
    let members = free.map { section in
      KeptOrder.Member(
        oldAnchors: anchors.count { $0.old < section.old },
        newAnchors: anchors.count { $0.new < section.new }, new: section.new)
    }
    for index in KeptOrder.stayingMembers(members) { kept[free[index].old] = free[index].new }
    return kept
  }

  // MARK: - Members

  /// The indices of the candidates that stay in their section and in their order.
  private static func stayingCandidates(
    _ old: SectionTable, _ new: SectionTable, _ candidates: [Candidate],
    _ keptSections: [Int: Int]
  ) -> Set<Int> {
    let olds = candidates.compactMap(\.old).sorted()
    let news = candidates.compactMap(\.new).sorted()
    let newRanks = Dictionary(uniqueKeysWithValues: news.enumerated().map { ($1, $0) })
    let oldRanks = Dictionary(uniqueKeysWithValues: olds.enumerated().map { ($1, $0) })
    var common: [(index: Int, old: Int, member: KeptOrder.Member)] = []
    for (index, candidate) in candidates.enumerated() {
      guard let from = candidate.old, let place = candidate.new,
        keptSections[old.section(at: from)] == new.section(at: place),
        let oldRank = oldRanks[from], let newRank = newRanks[place]
      else { continue }
      let member = KeptOrder.Member(
        oldAnchors: from - oldRank, newAnchors: place - newRank, new: place)
      common.append((index, from, member))
    }
    common.sort { $0.old < $1.old }
    return Set(KeptOrder.stayingMembers(common.map(\.member)).map { common[$0].index })
  }
}
