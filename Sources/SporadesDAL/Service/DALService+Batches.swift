// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

// Batches as writes of the service. Inside the block of a write, a batch is part of that write.
extension DALService {
  /// Sets attributes of many objects without loading them, and commits.
  @discardableResult
  public func execute<Object>(
    _ batch: BatchUpdateRequest<Object>, durability: Durability? = nil
  ) throws(DALError) -> BatchResult { try passBatch(durability) { try $0.execute(batch) } }

  /// Deletes many objects without loading them, and commits.
  @discardableResult
  public func execute<Object>(
    _ batch: BatchDeleteRequest<Object>, durability: Durability? = nil
  ) throws(DALError) -> BatchResult { try passBatch(durability) { try $0.execute(batch) } }

  /// Inserts many objects, and commits.
  @discardableResult
  public func execute<Object>(
    _ batch: BatchInsertRequest<Object>, durability: Durability? = nil
  ) throws(DALError) -> BatchResult { try passBatch(durability) { try $0.execute(batch) } }

  /// Sets attributes of many objects without loading them, and commits. The calling task is suspended.
  @discardableResult
  public func execute<Object>(
    _ batch: BatchUpdateRequest<Object>, durability: Durability? = nil
  ) async throws(DALError) -> BatchResult {
    try await pass(durability, isBatch: true) { try $0.execute(batch) }
  }

  /// Deletes many objects without loading them, and commits. The calling task is suspended.
  @discardableResult
  public func execute<Object>(
    _ batch: BatchDeleteRequest<Object>, durability: Durability? = nil
  ) async throws(DALError) -> BatchResult {
    try await pass(durability, isBatch: true) { try $0.execute(batch) }
  }

  /// Inserts an object for each element of an asynchronous sequence, all in one write.
  ///
  /// The elements are collected first, so that the write does not wait for them. If the sequence or `fill` throws,
  /// nothing is inserted.
  @discardableResult
  public func insert<Object: ManagedObject, Elements: AsyncSequence>(
    _ type: Object.Type, from elements: Elements, durability: Durability? = nil,
    _ fill: @escaping @Sendable (Object, Elements.Element) throws -> Void
  ) async throws -> BatchResult where Elements.Element: Sendable {
    var collected: [Elements.Element] = []
    for try await element in elements { collected.append(element) }
    let all = collected
    return try await pass(durability, isBatch: true) { context in
      try context.execute(BatchInsertRequest(type, from: all, fill: fill))
    }
  }

  private func passBatch(
    _ durability: Durability?, _ body: (ManagedObjectContext) throws -> BatchResult
  ) throws(DALError) -> BatchResult {
    if let outer = openWrites.current {
      return try perform(body, durability, within: outer).map(\.output).mapError(reportHere).get()
    }
    var result: Result<BatchResult, DALError>?
    let refusal = readWorkers.standingAside {
      gate.pass {
        result = perform(body, durability, within: nil, isBatch: true).map(\.output)
      }
    }
    if let refusal { result = .failure(refusal) }
    guard let result else { trap("A batch that was let in was carried out.") }
    return try result.mapError(reportHere).get()
  }
}
