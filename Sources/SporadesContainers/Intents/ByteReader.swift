// SPDX-License-Identifier: MIT

/// Reads what a ``ByteWriter`` wrote. Throws if the bytes end before, or say what no writer writes.
struct ByteReader {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { all = bytes }

  static let damage = StoreError(
    .corrupt,
    "The intent of a commit is damaged, so that a store cannot get its part of the commit. Restore a copy of the "
      + "stores, or discard the commit.")

  var left: Int { all.count - place }

  mutating func bytes(_ count: Int) throws(StoreError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= left else { throw Self.damage }
    defer { place += count }
    return all[place..<place + count]
  }

  mutating func number<Number: FixedWidthInteger>() throws(StoreError) -> Number {
    var number: Number = 0
    for (index, byte) in try bytes(Number.bitWidth / 8).enumerated() {
      number |= Number(truncatingIfNeeded: byte) << (index * 8)
    }
    return number
  }

  /// Reads the number of items that follow, of which each has at least a number of bytes.
  mutating func count(ofAtLeast size: Int = 1) throws(StoreError) -> Int {
    let written: UInt64 = try number()
    guard let count = Int(exactly: written), count <= left / size else { throw Self.damage }
    return count
  }

  mutating func text() throws(StoreError) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else { throw Self.damage }
    return text
  }

  mutating func blob() throws(StoreError) -> ArraySlice<UInt8> { try bytes(try count()) }

  mutating func truth() throws(StoreError) -> Bool {
    let byte: UInt8 = try number()
    guard byte < 2 else { throw Self.damage }
    return byte == 1
  }

  mutating func optionalText() throws(StoreError) -> String? { try truth() ? try text() : nil }

  mutating func optionalNumber() throws(StoreError) -> Int64? { try truth() ? try number() : nil }

  /// Reads a list, of items with at least a number of bytes.
  mutating func list<Item>(
    ofAtLeast size: Int, _ read: (inout ByteReader) throws(StoreError) -> Item
  ) throws(StoreError) -> [Item] {
    let count = try count(ofAtLeast: size)
    var items: [Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count { items.append(try read(&self)) }
    return items
  }
}
