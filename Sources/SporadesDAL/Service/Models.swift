// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

/// The reading half of a service, for a component that must not write.
public protocol QueryModel: AnyObject, Sendable {
  /// Runs `statements` on the main context and the calling thread.
  @discardableResult
  func read(_ statements: (ReportingContext) throws -> Void) -> Chain
  /// Runs `statements` on the main context and the calling thread, and returns its result.
  func readValue<Output>(_ statements: (ManagedObjectContext) throws -> Output) throws(DALError)
    -> Output
  /// Runs `statements` on a new context, which shows one state of the store, while the calling task is suspended.
  /// Returns the result.
  func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

/// The writing half of a service, for a component that must not read outside of its writes.
public protocol CommandModel: AnyObject, Sendable {
  /// Runs `changes` on a new context and the calling thread, and saves the context.
  @discardableResult
  func writeSync(
    durability: Durability?, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?
  ) -> Chain
  /// Runs `changes` on a new context and a thread of the service, and saves the context.
  func writeAsync(
    durability: Durability?, _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?)
  /// Runs `changes` on a new context, saves the context, and returns the result of `changes`.
  func write<Output: Sendable>(
    durability: Durability?,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

extension CommandModel {
  /// Writes with the usual durability and without a completion.
  @discardableResult
  public func writeSync(_ changes: (ReportingContext) throws -> Void) -> Chain {
    writeSync(durability: nil, changes, completion: nil)
  }

  /// Writes later, with the usual durability and without a completion.
  public func writeAsync(_ changes: @escaping @Sendable (ReportingContext) throws -> Void) {
    writeAsync(durability: nil, changes, completion: nil)
  }

  /// Writes with the usual durability, and returns the result of `changes`.
  public func write<Output: Sendable>(
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output { try await write(durability: nil, changes) }
}
