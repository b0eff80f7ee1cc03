// SPDX-License-Identifier: MIT

/// The memory that holds the texts and blobs of a page. It is valid while the page lives and is closed.
///
/// In a page that a store filled, the texts and blobs of a row follow the row, in the order of their
/// slots. A slot without a value has an empty text. Before the texts, the row stores the offset of
/// every eighth text from the row's start, in four bytes each, so that a reader finds the last of many
/// texts in a few steps.
///
/// In a page that a context opened, the offsets of all texts and blobs follow the row, in four bytes
/// each. The texts lie in separate memory, because they come and go while the rows stay.
@frozen @unsafe
public struct ByteRegion {
  /// The address that offsets count from.
  public let start: UnsafePointer<UInt8>
  @usableFromInline let followsRows: Bool

  @inlinable
  init(_ start: UnsafePointer<UInt8>, followsRows: Bool) {
    unsafe self.start = unsafe start
    unsafe self.followsRows = followsRows
  }

  /// The bytes at a place.
  @inlinable
  public subscript(place: BytePlace) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start + place.offset, count: place.length)
  }
}
