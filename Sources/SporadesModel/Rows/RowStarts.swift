// SPDX-License-Identifier: MIT

/// The offsets of a page's rows: two bytes each, or four bytes each in a page above 64 KiB. They lie
/// behind the last row, in the same block of memory.
@frozen @unsafe @usableFromInline
struct RowStarts {
  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let isShort: Bool

  /// The size of a block that holds rows and their offsets.
  static func blockSize(count: Int, byteCount: Int) -> Int {
    unsafe place(byteCount) + count * (byteCount <= UInt16.max ? 2 : 4)
  }

  /// The aligned place of the offsets in the block.
  private static func place(_ byteCount: Int) -> Int { (byteCount + 3) & ~3 }

  /// Writes the offsets into the block. The first row begins at 0, and has no offset in the list
  /// where it is the only one.
  init(
    _ starts: UnsafeMutablePointer<UInt32>?, count: Int, byteCount: Int,
    into block: UnsafeMutableRawPointer
  ) {
    unsafe isShort = byteCount <= UInt16.max
    unsafe memory = block + Self.place(byteCount)
    for index in 0..<count {
      let start = unsafe starts?[index] ?? 0
      if unsafe isShort {
        unsafe memory.storeBytes(
          of: UInt16(truncatingIfNeeded: start), toByteOffset: 2 * index, as: UInt16.self)
      } else {
        unsafe memory.storeBytes(of: start, toByteOffset: 4 * index, as: UInt32.self)
      }
    }
  }

  @inlinable
  subscript(index: Int) -> Int {
    unsafe isShort
      ? Int(memory.load(fromByteOffset: 2 * index, as: UInt16.self))
      : Int(memory.load(fromByteOffset: 4 * index, as: UInt32.self))
  }
}
