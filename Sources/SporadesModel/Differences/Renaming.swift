// SPDX-License-Identifier: MIT

/// Finds which part of an older model a part of a newer one was.
///
/// A part without an identifier has its name as identifier, and parts with equal identifiers are one part. Rules, the
/// first that fits:
/// 1. A part that kept its name and its identifier was renamed in an earlier version, and stays itself.
/// 2. A part continues the one that has its identifier. Among several older ones it is the one that says so, if the
///    others stay themselves. The name that a renamed part leaves is free for a new part.
/// 3. An identifier also names the former name of a part that has another identifier.
/// 4. A part keeps its name, although an identifier was added or removed.
/// 5. The identifier of an older part names the part that continues it.
///
/// Where a part could continue several parts, or several parts one, none of them is paired. See ``doubts``.
struct Renaming<Part> {
  typealias Doubt = Matching.Doubt

  /// The parts in pairs: those of the newer model in their order, then those that only the older one has.
  let pairs: [(old: Part?, new: Part?)]
  let doubts: [Doubt]

  init(
    _ old: [Part], _ new: [Part], name: (Part) -> String, identifier: (Part) -> String?
  ) {
    var matching = Matching(
      old: old.map { (name($0), identifier($0)) }, new: new.map { (name($0), identifier($0)) })
    matching.run()
    pairs = matching.pairs.map { pair in (pair.old.map { old[$0] }, pair.new.map { new[$0] }) }
    doubts = matching.doubts
  }
}

/// The places of older and newer parts that are one.
struct Matching {
  /// Parts of which nobody can say which one continues which.
  struct Doubt {
    let old: [String]
    let new: [String]
  }

  typealias Label = (name: String, identifier: String?)
  let old: [Label]
  let new: [Label]
  private var left: Set<Int>
  private var found: [Int?]
  private(set) var doubts: [Doubt] = []
  private var doubtful: Set<Int> = []
  private let byName: [String: Int]
  private let newByName: [String: Int]

  init(old: [Label], new: [Label]) {
    (self.old, self.new) = (old, new)
    left = Set(old.indices)
    found = Array(repeating: nil, count: new.count)
    byName = Dictionary(zip(old.map(\.name), old.indices)) { first, _ in first }
    newByName = Dictionary(zip(new.map(\.name), new.indices)) { first, _ in first }
  }

  /// The places of the newer parts in their order with those of the older ones, then the places that only the older
  /// version has.
  var pairs: [(old: Int?, new: Int?)] {
    let paired = Set(found.compactMap(\.self))
    return new.indices.map { (found[$0], $0) }
      + old.indices.filter { !paired.contains($0) }.map { ($0, nil) }
  }

  private var open: [Int] {
    new.indices.filter { found[$0] == nil && !doubtful.contains($0) }
  }

  private mutating func pair(_ place: Int, _ match: Int?) {
    guard let match, left.remove(match) != nil else { return }
    found[place] = match
  }

  mutating func run() {
    for place in open where new[place].identifier != nil {
      let match = byName[new[place].name]
      if match.map({ old[$0].identifier == new[place].identifier }) == true { pair(place, match) }
    }
    pairIdentifiers()
    for place in open {
      pair(place, new[place].identifier.flatMap { byName[$0] })
    }
    for place in open { pair(place, byName[new[place].name]) }
    pairIdentifiersOfOlder()
  }

  /// Whether a newer part without an identifier has the name of an older part.
  private func isStill(_ place: Int) -> Bool {
    newByName[old[place].name].map { new[$0].identifier == nil } ?? false
  }

  /// Rule 2. Newer parts with identifiers, by these.
  private mutating func pairIdentifiers() {
    let claims = Dictionary(grouping: open.filter { new[$0].identifier != nil }) {
      new[$0].identifier ?? ""
    }
    let owners = Dictionary(grouping: left.filter { old[$0].identifier != nil }) {
      old[$0].identifier ?? ""
    }
    for (identifier, places) in claims.inNumberOrder(of: { $0.value[0] }) {
      var candidates = (owners[identifier] ?? []).sorted()
      if let plain = byName[identifier], old[plain].identifier == nil, left.contains(plain) {
        // Of several parts, those whose names are still there stay themselves.
        candidates = candidates.filter { !isStill($0) }
        if candidates.isEmpty || !isStill(plain) { candidates.append(plain) }
      } else if candidates.count > 1 {
        candidates = candidates.filter { !isStill($0) }
      }
      guard !candidates.isEmpty else { continue }
      if places.count == 1, candidates.count == 1 {
        pair(places[0], candidates[0])
      } else {
        doubt(candidates, places)
      }
    }
  }

  /// Rule 5. Newer parts without identifiers.
  private mutating func pairIdentifiersOfOlder() {
    let owners = Dictionary(grouping: left.filter { old[$0].identifier != nil }) {
      old[$0].identifier ?? ""
    }
    for place in open where new[place].identifier == nil {
      guard let candidates = owners[new[place].name]?.sorted() else { continue }
      if candidates.count == 1 { pair(place, candidates[0]) } else { doubt(candidates, [place]) }
    }
  }

  private mutating func doubt(_ candidates: [Int], _ places: [Int]) {
    doubts.append(
      Doubt(old: candidates.map { old[$0].name }, new: places.map { new[$0].name }))
    doubtful.formUnion(places)
    left.subtract(candidates)
  }
}
