// SPDX-License-Identifier: MIT

/// Reads records out of CSV.
struct CSVReader: RecordReader {
  private var window: ByteWindow
  private let form: CSVForm
  private let limits: RecordLimits
  private let delimiter: UInt8
  private let quote: UInt8
  private(set) var columns: [String]?
  private var hasReadRows = false
  private var row = 0

  init(
    _ source: ByteSource, _ form: CSVForm, _ limits: RecordLimits, block: Int = 1 << 20
  ) throws(ImportError) {
    window = ByteWindow(source, block: block)
    self.form = form
    self.limits = limits
    (delimiter, quote) = try form.characters()
  }

  var totalBytes: Int? { window.size }

  mutating func next(_ limit: Int) throws(ImportError) -> RecordBatch? {
    if columns == nil { try begin() }
    while !window.isEmpty {
      var batch = RecordBatch()
      batch.quote = quote
      batch.columns = columns ?? []
      batch.origin = window.origin
      let stop = scan(&batch, limit)
      if batch.rowCount > 0 {
        hasReadRows = true
        batch.bytes = window.bytes
        batch.consumed = window.consumed
        return batch
      }
      switch stop {
      case .needsMore?: try grow()
      case .mistake(let detail, let index, let code)?:
        throw ImportError(
          code, at: window.place(of: index),
          "The input is not CSV: \(detail). Nothing behind this place was read.")
      case .tooLarge(let index)?: throw window.excess(at: index, limits.size, Self.advice)
      case nil: return batchWithoutRows()
      }
    }
    return batchWithoutRows()
  }

  /// Brings the columns of an input that has no rows, once; they may fit no property.
  private mutating func batchWithoutRows() -> RecordBatch? {
    guard !hasReadRows, form.columns == nil, let columns, !columns.isEmpty else { return nil }
    hasReadRows = true
    var batch = RecordBatch()
    batch.columns = columns
    batch.origin = window.origin
    return batch
  }

  private mutating func grow() throws(ImportError) {
    try window.fill(within: limits.size, else: Self.advice)
  }

  private static let advice = "check the quotes of the input"

  // MARK: - The header

  private mutating func begin() throws(ImportError) {
    try window.passMark()
    if let given = form.columns {
      columns = try checked(given)
      return
    }
    let place = window.place(of: window.start)
    // While the header is read, its own fields are the columns.
    columns = []
    guard let header = try next(1) else {
      throw ImportError(
        .malformed, at: place, "The input is empty; CSV begins with the names of its columns.")
    }
    if let failure = header.failures.first {
      throw ImportError(.malformed, at: failure.place, "The header is \(failure.reason)")
    }
    row = 0
    hasReadRows = false
    columns = try checked(header.elements(of: 0).map { header.text(of: header.nodes[$0]) })
  }

  private func checked(_ names: [String]) throws(ImportError) -> [String] {
    var known: Set<String> = []
    for name in names where !known.insert(name).inserted {
      throw ImportError(
        .malformed, at: window.place(of: window.start),
        "Two columns are named \(name.debugDescription); give each column a name of its own.")
    }
    return names
  }

  // MARK: - Records

  private mutating func scan(_ batch: inout RecordBatch, _ limit: Int) -> ScanStop? {
    let window = window
    return unsafe window.bytes.withUnsafeBufferPointer { bytes in
      // because the window has zeros behind its end, the bytes have an address
      let base = unsafe bytes.baseAddress.unsafelyUnwrapped
      var scanner = unsafe CSVScanner(
        base, window, delimiter, quote, trimsSpaces: form.trimsSpaces)
      defer { batch.nodes = scanner.nodes }
      while batch.rowCount < limit, scanner.place < window.end {
        do throws(ScanStop) {
          try scanOne(&scanner, &batch)
        } catch {
          return error
        }
      }
      return scanner.place == window.end && !window.isLast ? .needsMore : nil
    }
  }

  private mutating func scanOne(
    _ scanner: inout CSVScanner, _ batch: inout RecordBatch
  ) throws(ScanStop) {
    let (start, count) = (scanner.place, scanner.nodes.count)
    do throws(ScanStop) {
      try scanner.readLine()
      // The line may lie in the window as a whole.
      guard scanner.place - start <= limits.size else { throw .tooLarge(start) }
    } catch {
      scanner.nodes.removeSubrange(count...)
      guard case .mistake(let detail, let index, _) = error, index >= start else { throw error }
      // An open quote reaches to the end of the input, so no line behind it can be told.
      if scanner.place == window.end, window.isLast { throw error }
      return try passLine(&scanner, &batch, detail, index)
    }
    defer { window.take(to: scanner.place) }
    if isBlankLine(scanner.nodes, count) {
      scanner.nodes.removeSubrange(count...)
      return
    }
    let fields = Int(scanner.nodes[count].count)
    row += 1
    let width = columns?.count ?? 0
    guard width == 0 || fields == width else {
      scanner.nodes.removeSubrange(count...)
      batch.failures.append(
        ImportFailure(
          row: row, place: window.place(of: start),
          reason: "the line has \(fields) fields, and the header \(width)."))
      return
    }
    batch.records.append(RecordBatch.Record(node: count, start: start, row: row))
  }

  /// An empty line is no record, unless there is a single column.
  private func isBlankLine(_ nodes: [RecordNode], _ index: Int) -> Bool {
    nodes[index].count == 1 && nodes[index + 1].kind == .blank && columns?.count != 1
  }

  private mutating func passLine(
    _ scanner: inout CSVScanner, _ batch: inout RecordBatch, _ detail: String, _ index: Int
  ) throws(ScanStop) {
    guard
      let end = window.lineEnd(from: index).map({ $0 + 1 }) ?? (window.isLast ? window.end : nil)
    else { throw .needsMore }
    row += 1
    batch.failures.append(
      ImportFailure(row: row, place: window.place(of: index), reason: "not CSV: \(detail)."))
    scanner.place = end
    window.take(to: end)
  }
}
