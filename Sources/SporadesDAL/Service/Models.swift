// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

/// The reading half of a service, for a component that must not write.
public protocol QueryModel: AnyObject, Sendable {
  /// Reads on the calling thread; a failure is reported, and kept in the chain.
  @discardableResult
  func read(_ statements: (ReportingContext) throws -> Void) -> Chain
  /// Reads on the calling thread and returns the block's result.
  func readValue<Output>(_ statements: (ManagedObjectContext) throws -> Output) throws(DALError)
    -> Output
  /// Reads on a thread of the library while the task is suspended, and returns the block's result.
  func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

/// The writing half of a service, for a component that must not read on its own.
public protocol CommandModel: AnyObject, Sendable {
  /// Writes on the calling thread and returns when the changes are accepted.
  @discardableResult
  func writeSync(
    durability: Durability?, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?
  ) -> Chain
  /// Writes on a thread of the service; `completion` hears when the changes are committed.
  func writeAsync(
    durability: Durability?, _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?)
  /// Writes while the task is suspended, and returns the block's result when the changes are accepted.
  func write<Output: Sendable>(
    durability: Durability?,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

extension CommandModel {
  /// Writes on the calling thread with the service's own durability.
  @discardableResult
  public func writeSync(_ changes: (ReportingContext) throws -> Void) -> Chain {
    writeSync(durability: nil, changes, completion: nil)
  }

  /// Writes on a thread of the service with the service's own durability.
  public func writeAsync(_ changes: @escaping @Sendable (ReportingContext) throws -> Void) {
    writeAsync(durability: nil, changes, completion: nil)
  }

  /// Writes with the service's own durability while the task is suspended.
  public func write<Output: Sendable>(
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output { try await write(durability: nil, changes) }
}
