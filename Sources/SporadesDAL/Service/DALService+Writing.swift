// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
public import SporadesGraph
public import SporadesStore

extension DALService {
  /// Runs `changes` on a new context and the calling thread, and saves the context. Every read that follows
  /// the return sees the changes.
  ///
  /// A block that throws, or in which a call fails, changes nothing. The service calls `completion` once, after
  /// the commit or the failure. A write inside another write of the service becomes part of the outer one.
  @discardableResult
  public func writeSync(
    durability: Durability? = nil, _ changes: (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) -> Chain {
    func perform(within outer: OpenWrite?) -> Result<SaveNumber?, DALError> {
      self.perform({ try changes(ReportingContext($0)) }, durability, within: outer).map(\.save)
    }
    if let outer = openWrites.current {
      return finishNestedWrite(perform(within: outer), completion, outer)
    }
    var result: Result<SaveNumber?, DALError> = .success(nil)
    let refusal = readWorkers.standingAside { gate.pass { result = perform(within: nil) } }
    if let refusal { result = .failure(refusal) }
    result = result.mapError { reportHere($0) }
    callAfterCommit(completion, result)
    return Chain(service: self, failure: result.failure, save: result.save)
  }

  /// Writes as ``writeSync(durability:_:completion:)`` does, but later and on a thread of the service. Writes
  /// run in the order of their calls.
  ///
  /// If ``Options/pendingWriteLimit`` writes wait already, the call blocks until there is room. Such a wait
  /// could last for ever inside a block of a service or context, and on the thread of a main context on the main
  /// queue. There the service refuses the write with ``DALError/Code-swift.enum/tooManyWrites(limit:)``. An
  /// `await write` suspends its task instead.
  public func writeAsync(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ReportingContext) throws -> Void,
    completion: (@Sendable (DALError?) -> Void)? = nil
  ) {
    let refusal = gate.passLater(mayBlock: mayWaitForRoom) {
      let result = self.perform(
        { try changes(ReportingContext($0)) }, durability, within: nil,
        sharesCommit: self.gate.hasFollowers
      ).map(\.save)
      if case .failure(let error) = result { self.reportLater(error) }
      self.callAfterCommit(completion, result)
    }
    guard let error = refusal?.error else { return }
    reportLater(error)
    callAfterCommit(completion, .failure(error))
  }

  /// Runs `changes` on a new context, saves the context, and returns the result of `changes`. Every read that
  /// follows the return sees the changes.
  ///
  /// A task that is cancelled before the block starts writes nothing.
  public func write<Output: Sendable>(
    durability: Durability? = nil,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output { try await pass(durability, changes) }

  // MARK: - Steps

  /// Runs a write on a thread of the service while the task is suspended.
  func pass<Output: Sendable>(
    _ durability: Durability?, isBatch: Bool = false,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    do throws(DALError) {
      return try await attemptWrite(durability: durability, isBatch: isBatch, changes)
    } catch {
      if case .cancelled = error.code { throw error }
      throw reportThrown(error)
    }
  }

  /// Writes as ``write(durability:_:)`` does, and leaves the report of a failure to the caller, who may have a better
  /// way to write.
  package func attemptWrite<Output: Sendable>(
    durability: Durability?, isBatch: Bool = false,
    _ changes: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let start = CancellableStart()
    let result: Result<Output, DALError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        @Sendable func pass(orRefuse refuse: @escaping @Sendable (WriterGate.Refusal) -> Void) {
          gate.passWithRoom(orRefuse: refuse) {
            guard start.start() else {
              return continuation.resume(returning: .failure(DALError(.cancelled, during: .write)))
            }
            let sharesCommit = !isBatch && self.gate.hasFollowers
            let result = self.perform(
              changes, durability, within: nil, isBatch: isBatch, sharesCommit: sharesCommit)
            guard sharesCommit, (durability ?? self.options.durability) == .immediate,
              case .success((let output, let number?)) = result
            else { return continuation.resume(returning: result.map(\.output)) }
            // On no queue of the service: a completion may wait for a task that writes.
            self.whenCommitted(number, on: .global(qos: .userInitiated)) { error in
              // Observers of the commit have reported the failure.
              let error = error?.markReported(by: self)
              continuation.resume(returning: error.map { .failure($0) } ?? .success(output))
            }
          }
        }
        pass { refusal in
          refusal.afterFlushes {
            pass { continuation.resume(returning: .failure($0.error)) }
          }
        }
      }
    } onCancel: {
      start.cancel()
    }
    return try result.get()
  }

  func perform<Output>(
    _ changes: (ManagedObjectContext) throws -> Output, _ durability: Durability?,
    within outer: OpenWrite?, isBatch: Bool = false, sharesCommit: Bool = false
  ) -> Result<(output: Output, save: SaveNumber?), DALError> {
    trap(
      unless: outer == nil || outer?.context != nil,
      "A hook of an object asked for a write while another write saved that object. Change the objects in the "
        + "context of the object instead.")
    let open = OpenWrite()
    let result = openWrites.enter(open) {
      Result { () throws -> (output: Output, save: SaveNumber?) in
        var output: Output?
        let save = try WriteScope.$isWrite.withValue(true) {
          try stack(for: .write).write(
            name: nil, durability: durability ?? options.durability,
            mergePolicy: options.mergePolicy, within: outer?.context, isBatch: isBatch,
            sharesCommit: sharesCommit
          ) { context in
            output = try open.run(in: context, changes)
          }
        }
        guard let output else { trap("A write that succeeded ran its block.") }
        return (output, save)
      }.mapError { DALError($0, during: .write) }
    }
    open.end(with: result.map(\.save), within: outer)
    return result
  }

  /// Calls the completion after the commit, or with the failure.
  private func callAfterCommit(
    _ completion: (@Sendable (DALError?) -> Void)?, _ result: Result<SaveNumber?, DALError>
  ) {
    guard let completion else { return }
    guard case .success(let number?) = result else { return complete(completion, result.failure) }
    whenCommitted(number, on: completions, completion)
  }

  /// Calls the completion after the commit or the loss of an accepted write, or the failure of its commit.
  private func whenCommitted(
    _ number: SaveNumber, on queue: DispatchQueue,
    _ completion: @escaping @Sendable (DALError?) -> Void
  ) {
    guard let root = opening.stack?.root else { return complete(completion, nil) }
    root.whenCommitted(number, on: queue) { failure in
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
    guard let stack = opening.stack else { return nil }
    return stack.root.receipt(of: number)
  }

  /// The calling thread may wait for room, because it holds no resource that a write could need.
  private var mayWaitForRoom: Bool {
    guard !WaitResource.currentThreadHoldsAny else { return false }
    guard let stack = opening.stack else { return true }
    return !stack.main.isOnItsThread
  }

  /// Reports the failure of a nested write, or calls its completion after the commit of the outer write.
  private func finishNestedWrite(
    _ result: Result<SaveNumber?, DALError>, _ completion: (@Sendable (DALError?) -> Void)?,
    _ outer: OpenWrite
  ) -> Chain {
    let result = result.mapError { reportHere($0) }
    if case .failure(let error) = result {
      if let completion { complete(completion, error) }
    } else if let completion {
      outer.whenEnded { [self] in callAfterCommit(completion, $0) }
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
