// SPDX-License-Identifier: MIT
import SporadesArchives

/// The differences between two archives of models, object by object from the outermost one.
struct ArchiveComparison {
  private(set) var differences: Set<String> = []
  private var compared: Set<Pair> = []

  private struct Pair: Hashable {
    let left: Int
    let right: Int
  }

  static func differences(_ left: [UInt8], _ right: [UInt8]) throws -> [String] {
    var comparison = ArchiveComparison()
    try comparison.compare(KeyedArchive(left).root, KeyedArchive(right).root, "model")
    return comparison.differences.sorted()
  }

  private mutating func compare(
    _ left: ArchivedValue?, _ right: ArchivedValue?, _ place: String
  ) throws {
    guard let left, let right else {
      if left != nil || right != nil {
        try report(
          place, left.map(Self.description) ?? "nothing",
          right.map(Self.description) ?? "nothing")
      }
      return
    }
    guard compared.insert(Pair(left: left.number, right: right.number)).inserted else { return }
    if let text = try left.text, try text == right.text { return }
    if let entries = try left.entries, let others = try right.entries {
      try report(place, left.className, right.className)
      return try compare(entries, others, place)
    }
    if let items = try left.items, let others = try right.items {
      try report(place, left.className, right.className)
      return try compare(items, others, place)
    }
    guard try left.className != "scalar", try right.className != "scalar" else {
      return try report(place, Self.description(left), Self.description(right))
    }
    try report(place, left.className, right.className)
    let type = try left.className
    guard try type == right.className else { return }
    for name in Set(left.fieldNames + right.fieldNames) {
      if left.fieldNames.contains(name) != right.fieldNames.contains(name) {
        try report(
          "\(type).\(name)", left.fieldNames.contains(name) ? "a field" : "no field",
          right.fieldNames.contains(name) ? "a field" : "no field")
      } else {
        try compare(left[name], right[name], "\(type).\(name)")
      }
    }
  }

  private mutating func compare(
    _ left: [(key: ArchivedValue, value: ArchivedValue)],
    _ right: [(key: ArchivedValue, value: ArchivedValue)], _ place: String
  ) throws {
    let others = Dictionary(
      try right.map { (try $0.key.text ?? "", $0.value) }, uniquingKeysWith: { $1 })
    try report("\(place) count", "\(left.count)", "\(right.count)")
    for entry in left { try compare(entry.value, others[try entry.key.text ?? ""], place) }
  }

  /// Lists are compared in their order, and sets by the names of their entities.
  private mutating func compare(
    _ left: [ArchivedValue], _ right: [ArchivedValue], _ place: String
  ) throws {
    try report("\(place) count", "\(left.count)", "\(right.count)")
    func sorted(_ items: [ArchivedValue]) throws -> [ArchivedValue] {
      guard place == "NSManagedObjectModel.NSConfigurations" else { return items }
      return try items.map { ($0, try $0["NSEntityName"]?.text ?? "") }
        .sorted { $0.1 < $1.1 }.map(\.0)
    }
    for (item, other) in zip(try sorted(left), try sorted(right)) {
      try compare(item, other, place)
    }
  }

  private mutating func report(_ place: String, _ left: String, _ right: String) throws {
    if left != right { differences.insert("\(place): \(left), \(right)") }
  }

  private static func description(_ value: ArchivedValue) throws -> String {
    if let truth = value.truth { return "\(truth)" }
    if let integer = value.integer { return "\(integer)" }
    if let real = value.real { return "\(real)" }
    return try value.text ?? value.className
  }
}
