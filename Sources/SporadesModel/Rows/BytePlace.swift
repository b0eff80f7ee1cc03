// SPDX-License-Identifier: MIT

/// Where text or a blob lies in the byte region of its page.
///
/// Its length lies before it: in one byte, or for 255 bytes and more in four that follow a byte of
/// 255. So four bytes of a row tell where both are.
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

  /// The place whose length begins where a row says.
  @inlinable @unsafe
  init(_ stored: UInt32, in bytes: UnsafePointer<UInt8>) {
    let start = unsafe bytes + Int(stored)
    if unsafe start[0] < Self.longMark {
      self.init(offset: Int(stored) + 1, length: Int(unsafe start[0]))
    } else {
      let length = unsafe UnsafeRawPointer(start + 1).loadUnaligned(as: UInt32.self)
      self.init(offset: Int(stored) + 5, length: Int(length))
    }
  }

  /// What a row keeps of the place.
  @inlinable var stored: UInt32 {
    UInt32(truncatingIfNeeded: offset - Self.lengthSize(length))
  }

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
