// SPDX-License-Identifier: MIT

/// The place of a text or blob in the byte region of its page: an offset and a length.
///
/// The page stores the length before the bytes. A length below 255 takes one byte. A longer length
/// takes four bytes after a byte of 255.
@frozen
public struct BytePlace: Hashable, Sendable {
  /// The offset in the lower half of the word, the length in the upper half.
  public let rawValue: UInt64

  /// Makes the place that a word holds.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Makes a place of its parts.
  @inlinable
  public init(offset: Int, length: Int) {
    rawValue = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32
  }

  /// The distance from the start of the byte region to the first byte.
  @inlinable public var offset: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
  /// The number of bytes.
  @inlinable public var length: Int { Int(truncatingIfNeeded: rawValue >> 32) }

  /// Reads the place of the bytes whose length lies at `start`.
  @inlinable @unsafe
  init(at start: Int, in bytes: UnsafePointer<UInt8>) {
    let first = unsafe bytes[start]
    if first < Self.longMark {
      self.init(offset: start + 1, length: Int(first))
    } else {
      let length = unsafe UnsafeRawPointer(bytes + start + 1).loadUnaligned(as: UInt32.self)
      self.init(offset: start + 5, length: Int(length))
    }
  }

  /// The offset after the last byte.
  @inlinable var end: Int { offset + length }

  /// The offset of the length, which a row of an open page stores in place of the whole word.
  @inlinable var stored: Int { offset - Self.lengthSize(length) }

  @inlinable static var storedSize: Int { 4 }

  /// A row of a closed page stores the offset of every eighth text or blob. A reader steps over the
  /// texts between.
  @inlinable static var leap: Int { 8 }

  @inlinable static var longMark: UInt8 { 255 }

  /// The number of bytes that a length takes.
  @inlinable
  static func lengthSize(_ length: Int) -> Int { length < Int(longMark) ? 1 : 5 }

  /// Writes a length at `start` and returns the place of the bytes after it.
  @inlinable @unsafe
  static func write(
    _ length: Int, at start: Int, in bytes: UnsafeMutablePointer<UInt8>
  ) -> BytePlace {
    let size = lengthSize(length)
    if size == 1 {
      unsafe bytes[start] = UInt8(truncatingIfNeeded: length)
    } else {
      unsafe bytes[start] = longMark
      unsafe UnsafeMutableRawPointer(bytes + start + 1).storeBytes(
        of: UInt32(truncatingIfNeeded: length), as: UInt32.self)
    }
    return BytePlace(offset: start + size, length: length)
  }
}
