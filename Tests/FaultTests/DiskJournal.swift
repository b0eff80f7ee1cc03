// SPDX-License-Identifier: MIT
import Foundation

/// One record of the journal, which the probe's calls write; see `journal.c`.
struct DiskChange: Sendable {
  enum Kind: UInt32 {
    case create = 1
    case write, resize, syncFile, syncFolder, unlink, rename, makeFolder, removeFolder, link, note,
      begin
  }

  var kind: Kind
  var path: String
  /// The new name in a rename or a link.
  var other: String
  /// The number of the changed file.
  var file: UInt64
  var offset: Int
  var bytes: [UInt8]

  /// The changes in their order.
  static func all(in journal: URL) throws -> [DiskChange] {
    var reader = Reader(bytes: [UInt8](try Data(contentsOf: journal)))
    var changes: [DiskChange] = []
    while !reader.isAtEnd { changes.append(try reader.change()) }
    return changes
  }

  struct Damage: Error { let place: Int }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0
    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
      guard count <= bytes.count - place else { throw Damage(place: place) }
      defer { place += count }
      return bytes[place..<(place + count)]
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
      try take(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func change() throws -> DiskChange {
      guard let kind = Kind(rawValue: try number(UInt32.self)) else { throw Damage(place: place) }
      let path = Int(try number(UInt32.self))
      let other = Int(try number(UInt32.self))
      _ = try number(UInt32.self)
      let file = try number(UInt64.self)
      let offset = Int(try number(UInt64.self))
      let count = Int(try number(UInt64.self))
      return DiskChange(
        kind: kind, path: String(decoding: try take(path), as: UTF8.self),
        other: String(decoding: try take(other), as: UTF8.self), file: file, offset: offset,
        bytes: Array(try take(count)))
    }
  }
}
