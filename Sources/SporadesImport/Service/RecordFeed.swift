// SPDX-License-Identifier: MIT

/// The records of a source, a batch at a time.
///
/// A file is read ahead on another thread while the batch before is saved.
final class RecordFeed {
  private enum Stage {
    case reader(any RecordReader)
    case sequence(AnyIterator<ImportRecord>)
    case asynchronous(AsynchronousRecords)
    case ended
  }

  private var stage: Stage
  private let limit: Int
  private var row = 0
  let totalBytes: Int?

  init(_ settings: ImportSettings) throws(ImportError) {
    limit = settings.rowsPerSave
    switch settings.source.origin {
    case .reader(let open):
      let reader = try open(settings.limits)
      totalBytes = reader.totalBytes
      stage = .reader(reader)
    case .sequence(let make):
      totalBytes = nil
      stage = .sequence(make())
    case .asynchronous(let make):
      totalBytes = nil
      stage = .asynchronous(make())
    }
  }

  /// Calls `body` with each batch, and reads the next one meanwhile.
  func readAhead(_ body: (RecordBatch) async throws -> Void) async throws {
    guard case .reader(let reader) = stage else {
      while let batch = try await next() { try await body(batch) }
      return
    }
    let limit = limit
    var (batch, rest) = try await Self.read(reader, limit)
    while let current = batch {
      let reader = rest
      async let following = Self.read(reader, limit)
      try await body(current)
      (batch, rest) = try await following
    }
  }

  @concurrent
  private static func read(
    _ reader: any RecordReader, _ limit: Int
  ) async throws -> (RecordBatch?, any RecordReader) {
    var reader = reader
    let batch = try reader.next(limit)
    return (batch, reader)
  }

  /// Reads everything at once.
  func all() async throws -> [RecordBatch] {
    var batches: [RecordBatch] = []
    try await readAhead { batches.append($0) }
    return batches
  }

  private func next() async throws -> RecordBatch? {
    var batch = RecordBatch()
    while batch.records.count < limit, let record = try await nextRecord() {
      row += 1
      batch.append(record, row: row)
    }
    return batch.records.isEmpty ? nil : batch
  }

  private func nextRecord() async throws -> ImportRecord? {
    switch stage {
    case .sequence(let iterator): iterator.next()
    case .asynchronous(let records): try await records.next()
    case .reader, .ended: nil
    }
  }
}
