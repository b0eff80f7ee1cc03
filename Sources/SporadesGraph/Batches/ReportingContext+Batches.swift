// SPDX-License-Identifier: MIT

// Batches in a chained block, which throw as those of the context.
extension ReportingContext {
  /// Inserts many objects as a part of the block's work. See ``BatchInsertRequest``.
  @discardableResult
  public func execute<Object>(_ batch: BatchInsertRequest<Object>) throws -> BatchResult {
    try managedObjectContext.execute(batch)
  }

  /// Sets attributes of many objects as a part of the block's work. See ``BatchUpdateRequest``.
  @discardableResult
  public func execute<Object>(_ batch: BatchUpdateRequest<Object>) throws -> BatchResult {
    try managedObjectContext.execute(batch)
  }

  /// Deletes many objects as a part of the block's work. See ``BatchDeleteRequest``.
  @discardableResult
  public func execute<Object>(_ batch: BatchDeleteRequest<Object>) throws -> BatchResult {
    try managedObjectContext.execute(batch)
  }
}
