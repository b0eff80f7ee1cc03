// SPDX-License-Identifier: MIT

/// Where the texts and blobs of a page lie. Valid while the page lives and is not open.
///
/// Behind each row of a page that was read lie its texts and blobs, in the order of their slots; one
/// that is null is empty there. Before them, four bytes for every eighth tell how far it is from the
/// row's beginning, so that the last of many is found in a few steps. Behind each row of a page that
/// a context opened lie the places of all, four bytes each, because there texts come and go while
/// rows stay.
@frozen @unsafe
public struct ByteRegion {
  /// What places count from.
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
