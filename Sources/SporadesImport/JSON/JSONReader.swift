// SPDX-License-Identifier: MIT

/// Reads records out of JSON.
struct JSONReader: RecordReader {
  enum Stage: Sendable {
    /// Nothing was read.
    case beginning
    /// Values follow each other, each on a line or not.
    case values(inLines: Bool)
    /// Elements of an array follow; a comma comes before each but the first.
    case elements(first: Bool)
    /// One record follows.
    case single
    /// Behind the records, up to the end of the objects around them.
    case behind
    case ended
  }

  var window: ByteWindow
  let form: JSONForm
  let limits: RecordLimits
  var stage = Stage.beginning
  /// The number of objects around the records that are open.
  var openObjects = 0
  private var row = 0

  init(_ source: ByteSource, _ form: JSONForm, _ limits: RecordLimits, block: Int = 1 << 20) {
    window = ByteWindow(source, block: block)
    self.form = form
    self.limits = limits
  }

  var totalBytes: Int? { window.size }

  mutating func next(_ limit: Int) throws(ImportError) -> RecordBatch? {
    if case .beginning = stage { try begin() }
    if case .behind = stage { try finish() }
    if case .ended = stage { return nil }
    while true {
      var batch = RecordBatch()
      batch.origin = window.origin
      let stop = scan(&batch, limit)
      if batch.rowCount > 0 {
        batch.bytes = window.bytes
        batch.consumed = window.consumed
        return batch
      }
      switch stop {
      case .needsMore?: try grow()
      case .mistake(let detail, let index, let code)?:
        throw ImportError(code, at: window.place(of: index), sentence(detail))
      case .tooLarge(let index)?: throw window.excess(at: index, limits.size, Self.advice)
      case nil:
        if case .behind = stage { try finish() }
        return nil
      }
    }
  }

  /// Reads more bytes, unless the record at the beginning of the window is too large already.
  mutating func grow() throws(ImportError) {
    try window.fill(within: limits.size, else: Self.advice)
  }

  static let advice = "check the input"

  func sentence(_ detail: String) -> String {
    "The input is not JSON: \(detail). Nothing behind this place was read."
  }

  // MARK: - Records

  /// Reads records until there are enough, the window ends, or a mistake ends the input.
  private mutating func scan(_ batch: inout RecordBatch, _ limit: Int) -> ScanStop? {
    let (window, limits, stage) = (window, limits, stage)
    var staysInLine = false
    if case .values(inLines: true) = stage { staysInLine = true }
    return unsafe window.bytes.withUnsafeBufferPointer { bytes in
      // because the window has zeros behind its end, the bytes have an address
      let base = unsafe bytes.baseAddress.unsafelyUnwrapped
      var scanner = unsafe JSONScanner(
        base, window, deepest: limits.depth, staysInLine: staysInLine)
      swap(&scanner.nodes, &batch.nodes)
      defer { batch.nodes = scanner.nodes }
      while batch.rowCount < limit {
        do throws(ScanStop) {
          guard unsafe try scanOne(&scanner, &batch, base) else { return nil }
        } catch {
          return error
        }
      }
      return nil
    }
  }

  /// Reads one record; false at the end of the records.
  @unsafe
  private mutating func scanOne(
    _ scanner: inout JSONScanner, _ batch: inout RecordBatch, _ base: UnsafePointer<UInt8>
  ) throws(ScanStop) -> Bool {
    guard unsafe try approach(&scanner, base) else { return false }
    let (start, count) = (scanner.place, scanner.nodes.count)
    do throws(ScanStop) {
      try scanner.readValue()
      // The record may lie in the window as a whole.
      guard scanner.place - start <= limits.size else { throw .tooLarge(start) }
      if case .values(inLines: true) = stage { unsafe try endLine(&scanner, base) }
    } catch {
      scanner.nodes.removeSubrange(count...)
      guard case .values = stage, case .mistake(let detail, let index, _) = error else {
        throw error
      }
      return try passLine(&scanner, &batch, start, detail, index)
    }
    row += 1
    batch.records.append(RecordBatch.Record(node: count, start: start, row: row))
    window.take(to: scanner.place)
    switch stage {
    case .elements: stage = .elements(first: false)
    case .single: stage = .behind
    default: break
    }
    return true
  }

  /// Goes to the first byte of the next record; false if there is none.
  @unsafe
  private mutating func approach(
    _ scanner: inout JSONScanner, _ base: UnsafePointer<UInt8>
  ) throws(ScanStop) -> Bool {
    var index = unsafe skipSpace(scanner.place, base)
    defer { scanner.place = index }
    switch stage {
    case .values:
      window.take(to: index)
      if index < window.end { return true }
      guard window.isLast else { throw .needsMore }
      stage = .ended
      return false
    case .elements(let isFirst):
      if index == window.end { throw atEnd() }
      let byte = unsafe base[index]
      if byte == UInt8(ascii: "]") {
        index += 1
        window.take(to: index)
        stage = .behind
        return false
      }
      if isFirst { return true }
      guard byte == UInt8(ascii: ",") else {
        throw .mistake("a comma or ] was expected here", index, .malformed)
      }
      index = unsafe skipSpace(index + 1, base)
      if index == window.end { throw atEnd() }
      return true
    case .single: return true
    case .beginning, .behind, .ended: return false
    }
  }

  private func atEnd() -> ScanStop {
    window.isLast
      ? .mistake("the input ends before the ] of its array", window.end, .malformed) : .needsMore
  }

  @unsafe
  private func skipSpace(_ index: Int, _ base: UnsafePointer<UInt8>) -> Int {
    var index = index
    while true {
      switch unsafe base[index] {
      case 0x20, 0x09, 0x0D, 0x0A: index += 1
      default: return index
      }
    }
  }

  // MARK: - Lines

  /// The characters with which a value that has parts begins.
  private static let beginnings = [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")]

  /// Checks that nothing follows a record on its line.
  @unsafe
  private func endLine(
    _ scanner: inout JSONScanner, _ base: UnsafePointer<UInt8>
  ) throws(ScanStop) {
    var index = scanner.place
    while unsafe [0x20, 0x09, 0x0D].contains(base[index]) { index += 1 }
    if index == window.end {
      guard window.isLast else { throw .needsMore }
    } else if unsafe base[index] != 0x0A {
      throw .mistake("the line goes on behind its record", index, .malformed)
    }
    scanner.place = index
  }

  /// Refuses the line on which a record begins, and goes to the next one.
  private mutating func passLine(
    _ scanner: inout JSONScanner, _ batch: inout RecordBatch, _ start: Int, _ detail: String,
    _ index: Int
  ) throws(ScanStop) -> Bool {
    guard let end = window.lineEnd(from: start) ?? (window.isLast ? window.end : nil) else {
      throw .needsMore
    }
    row += 1
    let remedy =
      start == index && !Self.beginnings.contains(window.bytes[start])
      ? " A record begins with {. For a file of CSV, write .csv in the place of .json." : ""
    batch.failures.append(
      ImportFailure(
        row: row, place: window.place(of: index), reason: "not JSON: \(detail).\(remedy)"))
    scanner.place = end
    window.take(to: end)
    return true
  }
}
