// SPDX-License-Identifier: MIT

/// Where text or a blob lies in the byte region of its page.
///
/// Its length lies before it: in one byte, or for 255 bytes and more in four that follow a byte of
/// 255.
@frozen
public struct BytePlace: Hashable, Sendable {
  /// The offset in the lower half of the word, the length in the upper.
  public let rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  @inlinable
  public init(offset: Int, length: Int) {
    rawValue = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) << 32
  }

  @inlinable public var offset: Int { Int(truncatingIfNeeded: rawValue & 0xFFFF_FFFF) }
  @inlinable public var length: Int { Int(truncatingIfNeeded: rawValue >> 32) }

  /// The place whose length begins at `start`.
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

  /// Behind the last byte.
  @inlinable var end: Int { offset + length }

  /// What a row of an open page keeps of the place.
  @inlinable var stored: Int { offset - Self.lengthSize(length) }

  @inlinable static var storedSize: Int { 4 }

  /// How many texts and blobs are stepped over where nothing tells their place.
  @inlinable static var leap: Int { 8 }

  @inlinable static var longMark: UInt8 { 255 }

  /// The bytes that tell a length.
  @inlinable
  static func lengthSize(_ length: Int) -> Int { length < Int(longMark) ? 1 : 5 }

  /// The place of bytes whose length is written at `start`.
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
