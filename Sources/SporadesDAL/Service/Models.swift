// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesStore

/// Reading: what a component is handed that must not write.
public protocol QueryModel: AnyObject, Sendable {
  @discardableResult
  func read(_ statements: (ReportingContext) throws -> Void) -> Chain
  func readValue<Output>(_ statements: (ManagedObjectContext) throws -> Output) throws(DALError)
    -> Output
  func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

/// Writing: what a component is handed that must not read on its own.
public protocol CommandModel: AnyObject, Sendable {
  @discardableResult
  func writeSync(
    durability: Durability?, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?
  ) -> Chain
  func writeAsync(
    durability: Durability?, _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)?)
  func write<Output: Sendable>(
    durability: Durability?,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output
}

extension CommandModel {
  @discardableResult
  public func writeSync(_ changes: (ReportingContext) throws -> Void) -> Chain {
    writeSync(durability: nil, changes, completion: nil)
  }

  public func writeAsync(_ changes: @escaping @Sendable (ReportingContext) throws -> Void) {
    writeAsync(durability: nil, changes, completion: nil)
  }

  public func write<Output: Sendable>(
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output { try await write(durability: nil, changes) }
}
