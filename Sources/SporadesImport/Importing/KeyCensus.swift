// SPDX-License-Identifier: MIT

/// The keys of records that fit no property, and the fields that records have.
struct KeyCensus: Sendable {
  /// The place of a key that counts for nothing.
  static let ignored = -1
  /// The most keys that are told apart. The others count as one.
  private static let limit = 100

  /// The number of records that have the key. The first entry counts keys beyond the limit.
  private(set) var unknown: [(key: [UInt8], count: Int)] = [([], 0)]
  private var indices: [[UInt8]: Int] = [:]
  /// By index of the field: a record has it.
  private(set) var found: [Bool]
  /// The number of records.
  var records = 0

  init(_ plan: EntityPlan) { found = Array(repeating: false, count: plan.fields.count) }

  /// The place, below ``ignored``, of a key that fits no property.
  mutating func place(of key: [UInt8]) -> Int {
    if let index = indices[key] { return -2 - index }
    guard unknown.count <= Self.limit else { return -2 }
    unknown.append((key, 0))
    indices[key] = unknown.count - 1
    return -2 - (unknown.count - 1)
  }

  mutating func count(at place: Int) { unknown[-2 - place].count += 1 }

  mutating func noteFound(_ field: Int) { found[field] = true }

  /// Adds the keys of further records.
  mutating func add(_ other: KeyCensus) {
    records += other.records
    for (field, isFound) in other.found.enumerated() where isFound { found[field] = true }
    unknown[0].count += other.unknown[0].count
    for (key, count) in other.unknown.dropFirst() where count > 0 {
      unknown[-2 - place(of: key)].count += count
    }
  }
}
