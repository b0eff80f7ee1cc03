// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesStore

/// Reads and writes of a service, one after the other; after a step that fails the others are
/// skipped.
///
/// A chain that nobody looks at loses nothing: failures reach ``DALService/handleError(_:)`` all the
/// same.
public struct Chain: Sendable {
  /// The service whose reads and writes the chain holds.
  public let service: DALService
  /// The error of the first step that failed.
  public let failure: DALError?
  private let save: SaveNumber?

  init(service: DALService, failure: DALError?, save: SaveNumber? = nil) {
    self.service = service
    self.failure = failure
    self.save = save
  }

  /// Names the last step's write, to ask whether it is committed; nil for a read, for a write that was not
  /// accepted or changed nothing, and for one inside another write, which is accepted with that one.
  public var receipt: WriteReceipt? { failure?.receipt ?? save.flatMap(service.receipt) }

  /// Throws the error of the first step that failed.
  public func get() throws(DALError) {
    if let failure { throw failure }
  }

  /// See `DALService.read`.
  @discardableResult
  public func read(_ statements: (ReportingContext) throws -> Void) -> Chain {
    failure == nil ? service.read(statements) : self
  }

  /// See ``DALService/writeSync(durability:_:completion:)``. The completion of a step that is
  /// skipped gets the error that skipped it.
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

  /// See ``DALService/writeAsync(durability:_:completion:)``.
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
