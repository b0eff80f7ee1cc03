// SPDX-License-Identifier: MIT
import Foundation

/// Property lists of both forms, from which mutants are made.
enum PropertyLists {
  static func any(_ random: inout Randomness) throws -> [UInt8] {
    if random.below(6) == 0 { return deep(random.one(of: [10, 250, 300, 5_000, 50_000])) }
    var budget = 40
    let list = ["NSStoreType": "SQLite", "value": value(&random, &budget)] as [String: Any]
    let format: PropertyListSerialization.PropertyListFormat =
      random.below(2) == 0 ? .xml : .binary
    return Array(
      try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
  }

  private static func value(_ random: inout Randomness, _ budget: inout Int) -> Any {
    budget -= 1
    switch budget > 0 ? random.below(9) : random.below(7) {
    case 0: return Int(truncatingIfNeeded: random.next()) >> random.below(64)
    case 1: return random.one(of: [0.5, -1e300, 1e-300, 3.0])
    case 2: return random.below(2) == 0
    case 3: return Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000)))
    case 4: return Data(repeating: 5, count: random.below(40))
    case 5: return String(repeating: "a", count: random.below(40))
    case 6: return "é𝄞\u{0}"
    case 7: return (0..<random.below(6)).map { _ in value(&random, &budget) }
    default:
      return Dictionary(
        uniqueKeysWithValues: (0..<random.below(6)).map { ("key \($0)", value(&random, &budget)) })
    }
  }

  private static func deep(_ depth: Int) -> [UInt8] {
    let open = String(repeating: "<array>", count: depth)
    let closed = String(repeating: "</array>", count: depth)
    return Array(
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key>\(open)\(closed)</dict></plist>"
        .utf8)
  }
}
