// SPDX-License-Identifier: MIT
import Dispatch
public import SporadesGraph
public import SporadesStore

extension DALService {
  /// Runs `changes` on a context of its own, on the calling thread, saves it, and returns when the
  /// changes are accepted and every later read sees them.
  ///
  /// A block that throws, or in which something failed, changes nothing. `completion` is called
  /// once, after the changes are committed or have failed. Inside another write of the service the
  /// changes become part of it.
  @discardableResult
  public func writeSync(
    durability: Durability? = nil, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) -> Chain {
    var result: Result<SaveNumber?, DALError> = .failure(DALError(.stopping, during: .write))
    if gate.isInside, let outer = openWrite.withLock({ $0 }) {
      result = perform(changes, durability, within: outer).map(\.save)
      return settleNested(result, completion, outer)
    }
    _ = gate.pass { result = perform(changes, durability, within: nil).map(\.save) }
    if case .failure(let error) = result { handleError(error) }
    settle(result, completion)
    return Chain(service: self, failure: result.failure)
  }

  /// Does what ``writeSync(durability:_:completion:)`` does, later and on a thread of the service.
  /// Writes keep the order in which they were asked for.
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) {
    let isTaken = gate.passLater {
      let result = self.perform(changes, durability, within: nil).map(\.save)
      if case .failure(let error) = result { self.report(error) }
      self.settle(result, completion)
    }
    guard !isTaken else { return }
    let error = DALError(.stopping, during: .write)
    report(error)
    settle(.failure(error), completion)
  }

  /// Runs `changes` on a context of its own, saves it, and returns what `changes` returned once the
  /// changes are accepted.
  public func write<Output: Sendable>(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let result: Result<Output, DALError> = await withCheckedContinuation { continuation in
      let isTaken = gate.passLater {
        let result = self.perform({ try changes($0) }, durability, within: nil)
        self.completions.async { continuation.resume(returning: result.map(\.output)) }
      }
      if !isTaken {
        continuation.resume(returning: .failure(DALError(.stopping, during: .write)))
      }
    }
    if case .failure(let error) = result { handleError(error) }
    return try result.get()
  }

  // MARK: - Steps

  private func perform<Output>(
    _ changes: (ReportingContext) throws -> Output, _ durability: Durability?,
    within outer: OpenWrite?
  ) -> Result<(output: Output, save: SaveNumber?), DALError> {
    let open = OpenWrite()
    let result = Result { () throws -> (output: Output, save: SaveNumber?) in
      try stack().write(
        name: nil, durability: durability ?? options.durability, within: outer?.context
      ) { context in
        open.context = context
        openWrite.withLock { $0 = open }
        defer { openWrite.withLock { $0 = outer } }
        return try changes(context)
      }
    }.mapError { DALError($0, during: .write) }
    open.end(with: result.map(\.save), within: outer)
    return result
  }

  /// Calls the completion when the fate of the changes is known.
  private func settle(
    _ result: Result<SaveNumber?, DALError>, _ completion: (@Sendable (DALError?) -> Void)?
  ) {
    guard let completion else { return }
    switch result {
    case .failure(let error): complete(completion, error)
    case .success(nil): complete(completion, nil)
    case .success(let number?):
      guard case .success(let stack) = opening else { return }
      stack.root.whenCommitted(number) { [completions] failure in
        completions.async {
          completion(failure.map { DALError(.notDurable($0), during: .commit) })
        }
      }
    }
  }

  /// A nested write is committed or lost with the outer one, and so its completion is called then.
  private func settleNested(
    _ result: Result<SaveNumber?, DALError>, _ completion: (@Sendable (DALError?) -> Void)?,
    _ outer: OpenWrite
  ) -> Chain {
    if case .failure(let error) = result {
      report(error)
      if let completion { complete(completion, error) }
    } else if let completion {
      outer.whenSettled { [self] in settle($0, completion) }
    }
    return Chain(service: self, failure: result.failure)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
