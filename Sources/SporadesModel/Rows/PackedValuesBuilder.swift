// SPDX-License-Identifier: MIT

/// Fills the memory of ``PackedValues``, value by value.
@safe @usableFromInline
package struct PackedValuesBuilder: ~Copyable {
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0
  /// The number of bytes that texts and their lengths take.
  @usableFromInline package var byteCount = 0
  @usableFromInline var byteCapacity = 0
  /// Nil before the first value, and after the memory was handed over.
  @usableFromInline var marks: UnsafeMutablePointer<PackedValues.Mark>?
  @usableFromInline var words: UnsafeMutablePointer<UInt64>?
  @usableFromInline var bytes: UnsafeMutableRawPointer?
  @usableFromInline var others: [Value] = []

  package init() {
    unsafe marks = nil
    unsafe words = nil
    unsafe bytes = nil
    reserve(64)
    reserve(bytes: 256)
  }

  deinit {
    unsafe RowMemory.free(marks)
    unsafe RowMemory.free(words)
    unsafe RowMemory.free(bytes)
  }

  /// Memory for as many values, and bytes of texts, as are known beforehand.
  init(places: Int, bytes: Int) {
    unsafe marks = nil
    unsafe words = nil
    unsafe self.bytes = nil
    reserve(max(1, places))
    reserve(bytes: max(1, bytes))
  }

  /// Hands the values over.
  package consuming func finish() -> PackedValues {
    guard let marks = unsafe marks, let words = unsafe words, let bytes = unsafe bytes else {
      preconditionFailure("The values were handed over before.")
    }
    unsafe self.marks = nil
    unsafe self.words = nil
    unsafe self.bytes = nil
    return unsafe PackedValues(
      count: count, marks: marks, words: words, bytes: bytes, byteCount: byteCount, others: others)
  }

  @usableFromInline mutating func reserve(_ places: Int) {
    capacity = places
    let marks = unsafe RowMemory.resize(marks, to: places)
    unsafe self.marks = marks.assumingMemoryBound(to: PackedValues.Mark.self)
    let words = unsafe RowMemory.resize(words, to: places * 8)
    unsafe self.words = words.assumingMemoryBound(to: UInt64.self)
  }

  @usableFromInline mutating func reserve(bytes: Int) {
    byteCapacity = bytes
    unsafe self.bytes = unsafe RowMemory.resize(self.bytes, to: bytes)
  }

  @inlinable @inline(__always)
  mutating func append(_ mark: PackedValues.Mark, _ word: UInt64) {
    if count == capacity { reserve(capacity * 2) }
    unsafe marks.unsafelyUnwrapped[count] = mark
    unsafe words.unsafelyUnwrapped[count] = word
    count += 1
  }

  @inlinable @inline(__always)
  package mutating func appendNull() { append(.null, 0) }
  @inlinable @inline(__always)
  package mutating func append(_ integer: Int64) { append(.integer, UInt64(bitPattern: integer)) }
  @inlinable @inline(__always)
  package mutating func append(_ real: Double) { append(.real, real.bitPattern) }
  @inlinable @inline(__always)
  package mutating func append(_ boolean: Bool) { append(.boolean, boolean ? 1 : 0) }
  /// Appends a date, as the seconds since the reference date.
  @inlinable @inline(__always)
  package mutating func append(date: Double) { append(.date, date.bitPattern) }

  @inlinable
  package mutating func append(_ value: Value) {
    append(.other, UInt64(others.count))
    others.append(value)
  }

  /// Appends values for which there is room. Their texts and values of other types get new places.
  mutating func append(_ values: PackedValues) {
    precondition(values.count <= capacity - count && values.byteCount <= byteCapacity - byteCount)
    let (marks, words) = unsafe (
      marks.unsafelyUnwrapped + count, words.unsafelyUnwrapped + count
    )
    unsafe marks.update(from: values.marks, count: values.count)
    for place in 0..<values.count {
      let word = unsafe values.words[place]
      switch unsafe values.marks[place] {
      case .text: unsafe words[place] = word + UInt64(byteCount)
      case .other: unsafe words[place] = word + UInt64(others.count)
      case .null, .integer, .real, .boolean, .date: unsafe words[place] = word
      }
    }
    unsafe (bytes.unsafelyUnwrapped + byteCount).copyMemory(
      from: values.bytes, byteCount: values.byteCount)
    others += values.others
    byteCount += values.byteCount
    count += values.count
  }

  /// Appends the bytes of a text, of which a database holds less than 2³² bytes.
  @inlinable @inline(__always)
  package mutating func append(text: UnsafeRawBufferPointer) {
    append(.text, UInt64(byteCount))
    let end = byteCount + 4 + text.count
    if end > byteCapacity { reserve(bytes: max(end, byteCapacity * 2)) }
    let start = unsafe bytes.unsafelyUnwrapped + byteCount
    unsafe start.storeBytes(of: UInt32(text.count), as: UInt32.self)
    if let first = text.baseAddress {
      unsafe (start + 4).copyMemory(from: first, byteCount: text.count)
    }
    byteCount = end
  }
}
