// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Rows of plain values, packed: a mark and a word for each value, and the texts behind each other.
///
/// An answer with many rows takes a third of the memory of a list of values, and a text becomes a `String` when
/// somebody reads it. A ``PackedValuesBuilder`` fills the memory.
@safe @usableFromInline
package final class PackedValues: @unchecked Sendable {
  // @unchecked: the builder writes the memory before the object exists.

  /// The kind of a word.
  @usableFromInline
  package enum Mark: UInt8, Sendable {
    case null, integer, real, boolean, date
    /// The word is the offset of the text's length, which four bytes hold. The text follows.
    case text
    /// The word is a place in the list of values of other types.
    case other
  }

  /// The number of values.
  @usableFromInline package let count: Int
  @usableFromInline let marks: UnsafeMutablePointer<Mark>
  @usableFromInline let words: UnsafeMutablePointer<UInt64>
  @usableFromInline let bytes: UnsafeMutableRawPointer
  /// The number of bytes that texts and their lengths take.
  let byteCount: Int
  let others: [Value]

  init(
    count: Int, marks: UnsafeMutablePointer<Mark>, words: UnsafeMutablePointer<UInt64>,
    bytes: UnsafeMutableRawPointer, byteCount: Int, others: [Value]
  ) {
    self.count = count
    unsafe self.marks = marks
    unsafe self.words = words
    unsafe self.bytes = bytes
    self.byteCount = byteCount
    self.others = others
  }

  /// The values of several lists, one list after the other.
  package static func joining(_ lists: [PackedValues]) -> PackedValues {
    var builder = PackedValuesBuilder(
      places: lists.reduce(0) { $0 + $1.count }, bytes: lists.reduce(0) { $0 + $1.byteCount })
    for list in lists { builder.append(list) }
    return builder.finish()
  }

  deinit {
    unsafe RowMemory.free(marks)
    unsafe RowMemory.free(words)
    unsafe RowMemory.free(bytes)
  }

  /// The kind of the value at a place.
  @inlinable
  package func mark(_ place: Int) -> Mark {
    precondition(place >= 0 && place < count, "There are \(count) values, not value \(place).")
    return unsafe marks[place]
  }

  /// The word of the value at a place.
  @inlinable
  package func word(_ place: Int) -> UInt64 {
    precondition(place >= 0 && place < count, "There are \(count) values, not value \(place).")
    return unsafe words[place]
  }

  /// The text at a place whose mark is that of texts.
  @inlinable
  package func text(_ place: Int) -> String {
    unsafe withText(place) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of the text at a place whose mark is that of texts. A damaged text need not be UTF-8.
  @inlinable @inline(__always)
  package func withText<Result>(_ place: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    let start = unsafe bytes + Int(truncatingIfNeeded: word(place))
    let length = unsafe start.loadUnaligned(as: UInt32.self)
    return unsafe body(UnsafeRawBufferPointer(start: start + 4, count: Int(length)))
  }

  /// The value at a place.
  package subscript(place: Int) -> Value {
    let word = word(place)
    return switch mark(place) {
    case .null: .null
    case .integer: .integer(Int64(bitPattern: word))
    case .real: .double(Double(bitPattern: word))
    case .boolean: .boolean(word != 0)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
    case .text: .string(text(place))
    case .other: others[Int(word)]
    }
  }
}
