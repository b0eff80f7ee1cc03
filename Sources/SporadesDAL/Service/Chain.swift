// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesStore

/// Reads and writes of a service, one after the other. A step that fails skips all later steps.
///
/// You may ignore the chain: each failure also reaches ``DALService/handleError(_:)``.
public struct Chain: Sendable {
  /// The service that runs the steps.
  public let service: DALService
  /// The error of the first failed step; nil if every step succeeded.
  public let failure: DALError?
  private let save: SaveNumber?

  init(service: DALService, failure: DALError?, save: SaveNumber? = nil) {
    self.service = service
    self.failure = failure
    self.save = save
  }

  /// The receipt of the last step's write, which knows whether the write is committed.
  ///
  /// It is nil for a read, for a refused write and for a write without changes. A write inside another write
  /// has none either, because it belongs to the outer write.
  public var receipt: WriteReceipt? { failure?.receipt ?? save.flatMap(service.receipt) }

  /// Throws the error of the first failed step.
  public func get() throws(DALError) {
    if let failure { throw failure }
  }

  /// Reads as `DALService.read` does, unless an earlier step failed.
  @discardableResult
  public func read(_ statements: (ReportingContext) throws -> Void) -> Chain {
    failure == nil ? service.read(statements) : self
  }

  /// Writes as ``DALService/writeSync(durability:_:completion:)`` does, unless an earlier step failed. The
  /// completion of a skipped step gets the error of the failed one.
  @discardableResult
  public func writeSync(
    durability: Durability? = nil, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) -> Chain {
    guard let failure else {
      return service.writeSync(durability: durability, changes, completion: completion)
    }
    if let completion { service.complete(completion, failure) }
    return self
  }

  /// Writes as ``DALService/writeAsync(durability:_:completion:)`` does, unless an earlier step failed. The
  /// completion of a skipped step gets the error of the failed one.
  @discardableResult
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) -> Chain {
    guard let failure else {
      service.writeAsync(durability: durability, changes, completion: completion)
      return self
    }
    if let completion { service.complete(completion, failure) }
    return self
  }
}
