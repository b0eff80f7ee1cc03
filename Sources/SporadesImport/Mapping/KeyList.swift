// SPDX-License-Identifier: MIT

/// The keys that a plan looks for in the first level of its records.
struct KeyList {
  private(set) var all: [[UInt8]] = []
  private(set) var places: [[UInt8]: Int] = [:]
  /// The places of keys that are values by themselves.
  private var values: Set<Int> = []
  /// The places of keys at which records with further keys stand.
  private var outer: Set<Int> = []
  /// The places of keys at which the members of composites stand.
  private var composites: Set<Int> = []

  /// The places of keys that say something only as records with further keys.
  var onlyOuter: Set<Int> { outer.subtracting(values) }
  /// The places of those at which the members of composites stand.
  var onlyComposites: Set<Int> { composites.subtracting(values) }

  /// The keys of a property: those of the mapping, or those of the notes in the model, or its name as it is and in snake
  /// case.
  mutating func sources(
    _ given: [String], _ notes: [String: String], _ path: [String]
  ) -> [FieldPlan.Source] {
    let named = Self.named(given, notes)
    if !named.isEmpty { return named.flatMap { sources($0) } }
    let usual = sources(path) + sources(path.map(\.snakeCased))
    for source in usual where !source.rest.isEmpty { composites.insert(source.key) }
    return usual
  }

  /// The keys that the mapping or a note in the model names; empty for the usual ones.
  static func named(_ given: [String], _ notes: [String: String]) -> [String] {
    if !given.isEmpty { return given }
    // MagicalRecord looks for the name only where no note names another key.
    return [notes["mappedKeyName"]].compactMap(\.self)
      + (0...9).compactMap { notes["mappedKeyName.\($0)"] }
  }

  /// A key path can also be one key with points in it, as columns of CSV have them.
  private mutating func sources(_ path: String) -> [FieldPlan.Source] {
    sources(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }

  private mutating func sources(_ path: [String]) -> [FieldPlan.Source] {
    let whole = FieldPlan.Source(key: place(of: path.joined(separator: ".")), rest: [])
    values.insert(whole.key)
    guard path.count > 1 else { return [whole] }
    let first = FieldPlan.Source(
      key: place(of: path[0]), rest: path.dropFirst().map { Array($0.utf8) })
    outer.insert(first.key)
    return [whole, first]
  }

  private mutating func place(of key: String) -> Int {
    let bytes = Array(key.utf8)
    if let place = places[bytes] { return place }
    places[bytes] = all.count
    all.append(bytes)
    return all.count - 1
  }
}
