// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// The part of an input that a reader looks at: bytes that are not read yet, in one piece.
///
/// Zeros follow the last byte, so that a scanner may look a few bytes ahead, and stops at the end without a check
/// for each byte.
struct ByteWindow: Sendable {
  /// The number of zeros behind the last byte.
  static let padding = 16

  /// The bytes, with zeros behind ``end``.
  private(set) var bytes: [UInt8]
  /// The index of the first byte that is not taken.
  private(set) var start = 0
  /// The index behind the last byte.
  private(set) var end = 0
  /// No more bytes follow in the source.
  private(set) var isLast = false
  /// The number of bytes of the source before index 0.
  private var offset = 0
  /// The number of the line at ``start``, from 1.
  private var line = 1
  /// The number of bytes of the source before the line at ``start``.
  private var lineStart = 0
  private var source: ByteSource
  private let block: Int

  init(_ source: ByteSource, block: Int) {
    self.source = source
    self.block = block
    bytes = Array(repeating: 0, count: Self.padding)
  }

  /// The number of all bytes of the source; nil if nobody knows it.
  var size: Int? { source.size }
  /// The number of bytes of the source that are taken.
  var consumed: Int { offset + start }
  /// Nothing is left.
  var isEmpty: Bool { isLast && start == end }
  /// The number of bytes that are not taken.
  var count: Int { end - start }

  /// Reads another block, or as many bytes as the window has if that is more.
  mutating func fill() throws(ImportError) {
    let kept = end - start
    let room = max(rest, kept)
    var fresh = Self.zeros(behind: bytes[start..<end], kept + room + Self.padding)
    var filled = kept
    while filled < kept + room {
      let count = try read(into: &fresh, from: filled, to: kept + room)
      if count == 0 {
        isLast = true
        break
      }
      filled += count
    }
    offset += start
    (bytes, start, end) = (fresh, 0, filled)
  }

  /// The number of bytes that are worth reading: a block, or what the source still has, and one byte more, so that its
  /// end is noticed.
  private var rest: Int {
    guard let size, size > offset + end else { return block }
    return min(block, size - offset - end + 1)
  }

  /// Bytes, with zeros behind them. Two calls write them, because loops over bytes are slow in debug builds.
  private static func zeros(behind kept: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      guard let start = room.baseAddress else { return }
      unsafe kept.withUnsafeBytes { bytes in
        if let first = bytes.baseAddress { unsafe memcpy(start, first, bytes.count) }
      }
      unsafe memset(start + kept.count, 0, count - kept.count)
      filled = count
    }
  }

  /// Reads another block, unless the record at ``start`` is larger than a limit already. The advice ends the sentence
  /// of the error.
  mutating func fill(within limit: Int, else advice: String) throws(ImportError) {
    guard count <= limit else { throw excess(at: start, limit, advice) }
    try fill()
  }

  /// The error of a record at an index that is larger than a limit.
  func excess(at index: Int, _ limit: Int, _ advice: String) -> ImportError {
    ImportError(
      .tooLarge, at: place(of: index),
      "A record is larger than \(limit) bytes. Raise the limit, or \(advice).")
  }

  private mutating func read(
    into bytes: inout [UInt8], from first: Int, to last: Int
  ) throws(ImportError) -> Int {
    var outcome: Result<Int, ImportError> = .success(0)
    unsafe bytes.withUnsafeMutableBytes { all in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: all[first..<last])
      do throws(ImportError) {
        outcome = .success(unsafe try source.read(into: room))
      } catch {
        outcome = .failure(error)
      }
    }
    return try outcome.get()
  }

  /// Takes the bytes before an index.
  mutating func take(to index: Int) {
    let (lines, last) = Self.lines(bytes, start, index)
    if let last {
      line += lines
      lineStart = offset + last + 1
    }
    start = index
  }

  /// The index of the next line end at or behind an index; nil if the window has none.
  func lineEnd(from index: Int) -> Int? { bytes[index..<end].firstIndex(of: 0x0A) }

  /// Where the window begins in its input, for finding the lines of places in it later.
  var origin: BatchOrigin {
    BatchOrigin(offset: offset, start: start, line: line, lineStart: lineStart)
  }

  /// The place of an index that is not taken yet.
  func place(of index: Int) -> InputPlace { origin.place(of: index, in: bytes) }

  /// The number of line ends between two indices, and the index of the last one.
  static func lines(_ bytes: [UInt8], _ first: Int, _ last: Int) -> (Int, Int?) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var count = 0
      for index in first..<last where unsafe bytes[index] == 0x0A { count += 1 }
      guard count > 0 else { return (0, nil) }
      var index = last - 1
      while unsafe bytes[index] != 0x0A { index -= 1 }
      return (count, index)
    }
  }
}

/// The place of a piece of input, from which the lines of its bytes are counted.
struct BatchOrigin: Sendable {
  /// The number of bytes of the input before index 0.
  let offset: Int
  /// The index from which lines are counted.
  let start: Int
  /// The number of the line at ``start``.
  let line: Int
  /// The number of bytes of the input before that line.
  let lineStart: Int

  /// The place of an index of the piece.
  func place(of index: Int, in bytes: [UInt8]) -> InputPlace {
    let (lines, last) = ByteWindow.lines(bytes, start, max(start, index))
    let first = last.map { offset + $0 + 1 } ?? lineStart
    return InputPlace(
      line: line + lines, column: offset + index - first + 1, byteOffset: offset + index)
  }
}
