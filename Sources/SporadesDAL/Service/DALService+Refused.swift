// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

// Blocks that no read or write takes. The compiler chooses these functions only where no other fits, and reports
// one sentence in place of the candidates.

private let refusal = "The compiler refuses this call."

// A block that awaits would leave its queue in the middle of its work.
extension DALService {
  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  @discardableResult
  public func writeSync(
    durability: Durability? = nil, _ changes: (ReportingContext) async throws -> Void
  ) -> Chain { preconditionFailure(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) async throws -> Void
  ) { preconditionFailure(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  public func write<Output>(
    durability: Durability? = nil,
    _ changes: (ManagedObjectContext) async throws -> Output
  ) async throws(DALError) -> Output { preconditionFailure(refusal) }

  /// Refuses a block that awaits.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the block cannot await, because it holds its context until it returns; await before it and carry the values in, or after it and carry them out"
  )
  @discardableResult
  public func read<Output>(
    _ statements: (ManagedObjectContext) async throws -> Output
  ) async throws(DALError) -> Output { preconditionFailure(refusal) }
}

// A chain has no value.
extension DALService {
  /// Refuses a result of a chained write.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "a chained write returns its chain and no value; set a variable around the block, call try await write { } in a task, or readValue { } afterwards"
  )
  public func writeSync<Output>(
    durability: Durability? = nil, _ changes: (ReportingContext) throws -> Output
  ) -> Output { preconditionFailure(refusal) }
}
