// SPDX-License-Identifier: MIT

/// The amounts of work that each side does.
package struct DoorScale: Sendable {
  /// Objects that are inserted, and fetched afterwards.
  package let objects: Int
  /// Single objects that are looked up by their codes.
  package let lookups: Int
  /// Reads and writes of a property by its accessor.
  package let accesses: Int
  /// Reads and writes of a property by its name.
  package let namedAccesses: Int
  package let rounds: Int

  package static let full = DoorScale(
    objects: 100_000, lookups: 10_000, accesses: 5_000_000, namedAccesses: 1_000_000, rounds: 7)
  /// Enough to see that all sides run and agree; too little to compare speeds.
  package static let short = DoorScale(
    objects: 2_000, lookups: 200, accesses: 10_000, namedAccesses: 2_000, rounds: 2)

  /// The objects whose properties are read and written. A loop goes around them, so that no value stays in a register.
  package static let held = 64
}

/// The values of the objects, the same on all sides.
package enum DoorSample {
  /// Longer than the fifteen bytes that a Swift string holds in place, as real names are.
  package static func name(_ number: Int) -> String { "Item of the number \(number)" }
  /// The codes of successive numbers lie far apart.
  package static func code(_ number: Int) -> String {
    String(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
  }
  package static func count(_ number: Int) -> Int64 { Int64(number) }
  package static func small(_ number: Int) -> Int16 { Int16(truncatingIfNeeded: number) }
  package static func seconds(_ number: Int) -> Double { Double(number) }
  /// The number of the object of a look-up.
  package static func lookup(_ index: Int, _ scale: DoorScale) -> Int {
    index * 7_919 % scale.objects
  }
}

/// Measures the parts of one side's work.
package final class DoorWatch {
  /// Nanoseconds for each operation.
  package private(set) var times: [String: Double] = [:]
  /// The results, which all sides must agree about.
  package private(set) var sums: [String: Int] = [:]

  package init() {}

  /// Runs `body`, which does so many operations.
  package func time(_ key: String, _ operations: Int, _ body: () throws -> Int) rethrows {
    let start = ContinuousClock.now
    let sum = try body()
    times[key] = (ContinuousClock.now - start) / .nanoseconds(1) / Double(operations)
    sums[key] = sum
  }

  /// Goes around the held objects so many times.
  package func go<Object>(
    _ key: String, around objects: [Object], _ count: Int, _ body: (Object, Int) -> Int
  ) {
    time(key, count) {
      var sum = 0
      for number in 0..<count { sum &+= body(objects[number & (DoorScale.held - 1)], number) }
      return sum
    }
  }
}
