// SPDX-License-Identifier: MIT

/// Where the texts and blobs of a page lie. Valid while the page lives and is not open.
///
/// Behind each row of a page that was read lie its texts and blobs, in the order of their slots; one
/// that is null is empty there. Behind each row of a page that a context opened lie their places,
/// four bytes each, because there texts come and go while rows stay.
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

  /// The place of the text or blob before which `number` others belong to a row that ends at `end`.
  @inlinable
  func place(_ number: Int, behind end: UnsafeRawPointer) -> BytePlace {
    guard unsafe followsRows else {
      let stored = unsafe end.loadUnaligned(
        fromByteOffset: number * BytePlace.storedSize, as: UInt32.self)
      return unsafe BytePlace(at: Int(stored), in: start)
    }
    var place = unsafe BytePlace(at: end - UnsafeRawPointer(start), in: start)
    for _ in 0..<number { place = unsafe BytePlace(at: place.end, in: start) }
    return place
  }
}
