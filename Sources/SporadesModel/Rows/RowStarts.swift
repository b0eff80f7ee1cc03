// SPDX-License-Identifier: MIT

/// The offsets of a page's rows: two bytes each, or four bytes each in a page above 64 KiB.
@frozen @unsafe @usableFromInline
struct RowStarts {
  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let isShort: Bool

  /// Takes over the offsets and the memory of a builder.
  init(_ starts: UnsafeMutablePointer<UInt32>, count: Int, byteCount: Int) {
    let short = UnsafeMutableRawPointer(starts)
    unsafe isShort = byteCount <= UInt16.max
    guard unsafe isShort else {
      unsafe memory = unsafe short
      return
    }
    for index in 0..<count {
      unsafe short.storeBytes(
        of: UInt16(truncatingIfNeeded: starts[index]), toByteOffset: 2 * index, as: UInt16.self)
    }
    unsafe memory = RowMemory.resize(short, to: 2 * count)
  }

  @inlinable
  subscript(index: Int) -> Int {
    unsafe isShort
      ? Int(memory.load(fromByteOffset: 2 * index, as: UInt16.self))
      : Int(memory.load(fromByteOffset: 4 * index, as: UInt32.self))
  }
}
