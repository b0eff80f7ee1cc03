// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
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
    func perform(within outer: OpenWrite?) -> Result<SaveNumber?, DALError> {
      self.perform({ try changes(ReportingContext($0)) }, durability, within: outer).map(\.save)
    }
    if let outer = openWrites.current {
      return settleNested(perform(within: outer), completion, outer)
    }
    var result: Result<SaveNumber?, DALError> = .success(nil)
    let refusal = gate.pass { result = perform(within: nil) }
    if let refusal { result = .failure(refusal) }
    result = result.mapError { tell($0) }
    settle(result, completion)
    return Chain(service: self, failure: result.failure, save: result.save)
  }

  /// Does what ``writeSync(durability:_:completion:)`` does, later and on a thread of the service.
  /// Writes keep the order in which they were asked for.
  ///
  /// Where ``Options/pendingWriteLimit`` writes wait already, the call returns when there is room for this
  /// one. Inside a block of a service or context, and on the thread of a main context that lives on the
  /// main queue, waiting for room could wait for ever: there the write is refused with
  /// ``DALError/Code-swift.enum/tooManyWrites(limit:)``. `await write` suspends its task instead.
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) {
    let refusal = gate.passLater(mayBlock: mayWaitForRoom) {
      let result = self.perform(
        { try changes(ReportingContext($0)) }, durability, within: nil
      ).map(\.save)
      if case .failure(let error) = result { self.report(error) }
      self.settle(result, completion)
    }
    guard let error = refusal?.error else { return }
    report(error)
    settle(.failure(error), completion)
  }

  /// Runs `changes` on a context of its own, saves it, and returns what `changes` returned once the
  /// changes are accepted. Where the task is cancelled before the turn of the write comes, nothing is
  /// written.
  public func write<Output: Sendable>(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let turn = Turn()
    let result: Result<Output, DALError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        @Sendable func pass(orRefuse refuse: @escaping @Sendable (WriterGate.Refusal) -> Void) {
          gate.passWithRoom(orRefuse: refuse) {
            guard turn.begin() else {
              return continuation.resume(returning: .failure(DALError(.cancelled, during: .write)))
            }
            let result = self.perform(changes, durability, within: nil)
            continuation.resume(returning: result.map(\.output))
          }
        }
        pass { refusal in
          refusal.whenTold {
            pass { continuation.resume(returning: .failure($0.error)) }
          }
        }
      }
    } onCancel: {
      turn.cancel()
    }
    if case .failure(let error) = result, case .cancelled = error.code { throw error }
    return try result.mapError { tell($0) }.get()
  }

  // MARK: - Steps

  private func perform<Output>(
    _ changes: (ManagedObjectContext) throws -> Output, _ durability: Durability?,
    within outer: OpenWrite?
  ) -> Result<(output: Output, save: SaveNumber?), DALError> {
    precondition(
      outer == nil || outer?.context != nil,
      "A write was asked for by a hook of an object that another write is saving; change the "
        + "objects of that write instead.")
    let open = OpenWrite()
    let result = openWrites.enter(open) {
      Result { () throws -> (output: Output, save: SaveNumber?) in
        var output: Output?
        let save = try stack(for: .write).write(
          name: nil, durability: durability ?? options.durability,
          mergePolicy: options.mergePolicy, within: outer?.context
        ) { context in
          open.context = context
          defer { open.context = nil }
          output = try changes(context)
        }
        guard let output else { preconditionFailure("A write that succeeded ran its block.") }
        return (output, save)
      }.mapError { DALError($0, during: .write) }
    }
    open.end(with: result.map(\.save), within: outer)
    return result
  }

  /// Calls the completion when the fate of the changes is known.
  private func settle(
    _ result: Result<SaveNumber?, DALError>, _ completion: (@Sendable (DALError?) -> Void)?
  ) {
    guard let completion else { return }
    guard case .success(let number?) = result, case .success(let stack) = opening else {
      return complete(completion, result.failure)
    }
    let root = stack.root
    root.whenCommitted(number, on: completions) { failure in
      guard let failure else { return completion(nil) }
      let receipt = root.receipt(of: number)
      switch failure {
      case .notYet(let error):
        completion(DALError(.notDurable(error), during: .commit, receipt: receipt))
      case .lost(let write):
        completion(DALError(.lost(write), during: .commit, receipt: receipt))
      }
    }
  }

  func receipt(of number: SaveNumber) -> WriteReceipt? {
    guard case .success(let stack) = opening else { return nil }
    return stack.root.receipt(of: number)
  }

  /// Whether the calling thread may wait for writes to pass: it holds nothing that a write could wait for.
  private var mayWaitForRoom: Bool {
    guard !WaitResource.currentThreadHoldsAny else { return false }
    guard case .success(let stack) = opening else { return true }
    return !stack.main.isOnItsThread
  }

  /// A nested write is committed or lost with the outer one, and so its completion is called then.
  private func settleNested(
    _ result: Result<SaveNumber?, DALError>, _ completion: (@Sendable (DALError?) -> Void)?,
    _ outer: OpenWrite
  ) -> Chain {
    let result = result.mapError { tell($0) }
    if case .failure(let error) = result {
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

extension Result<SaveNumber?, DALError> {
  fileprivate var save: SaveNumber? {
    if case .success(let number) = self { number } else { nil }
  }
}
