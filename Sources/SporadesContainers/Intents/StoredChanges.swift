// SPDX-License-Identifier: MIT
package import SporadesModel
import SporadesStore

/// Change sets as bytes, which a store keeps for another store.
///
/// The bytes begin with a mark, a version and a checksum. Entities, slots and joins follow by name, so that bytes of another
/// version of the model are recognized. Reading checks every number, and refuses damaged bytes with
/// ``StoreError/Code-swift.enum/corrupt``.
package enum StoredChanges {
  static let mark: [UInt8] = Array("SPIC".utf8)
  static let version: UInt8 = 1
  /// The bytes before the ones that the checksum covers.
  static let headSize = 13

  /// Writes change sets. Large values are written whole.
  package static func bytes(
    of changes: [ChangeSet], _ model: ManagedObjectModel
  ) throws(StoreError) -> [UInt8] {
    var writer = ChangesWriter(model)
    for change in changes { try writer.write(change) }
    let content = writer.finished(count: changes.count)
    var head = ByteWriter()
    head.bytes = mark + [version]
    head.write(checksum(of: content[...]))
    return head.bytes + content
  }

  /// Reads change sets of the model. Throws ``StoreError/Code-swift.enum/incompatibleModel(_:)`` if they were written with
  /// another version of it.
  package static func changes(
    in bytes: [UInt8], _ model: ManagedObjectModel
  ) throws(StoreError) -> [ChangeSet] {
    var reader = ByteReader(bytes)
    guard try reader.bytes(mark.count).elementsEqual(mark) else { throw ByteReader.damage }
    let written: UInt8 = try reader.number()
    guard written == version else {
      throw StoreError(
        .unsupported,
        "The intent has the version \(written), and this program reads the version \(version). "
          + "Open the stores with the program that made it, or with a newer one.")
    }
    let sum: UInt64 = try reader.number()
    guard sum == checksum(of: bytes[headSize...]) else { throw ByteReader.damage }
    var changes = try ChangesReader(reader, model)
    return try changes.readAll()
  }

  /// A checksum against damage (FNV-1a, over words of eight bytes).
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    var word: UInt64 = 0
    var place: UInt64 = 0
    for byte in bytes {
      word |= UInt64(byte) << (place * 8)
      place += 1
      guard place == 8 else { continue }
      sum = (sum ^ word) &* 0x0000_0100_0000_01B3
      (word, place) = (0, 0)
    }
    return ((sum ^ word) &* 0x0000_0100_0000_01B3) ^ UInt64(bytes.count)
  }
}
