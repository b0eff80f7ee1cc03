// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
import SporadesStore

extension DALService {
  /// Runs `statements` on the main context and the calling thread.
  ///
  /// The service undoes changes that the block makes, and reports them as an error. In asynchronous code use the
  /// `read` that returns a value. Inside a write the block runs on a new context, so that the write never waits
  /// for main.
  @discardableResult
  public func read(_ statements: (ReportingContext) throws -> Void) -> Chain {
    do {
      try readMain { try statements(ReportingContext($0)) }
      return Chain(service: self, failure: nil)
    } catch {
      return Chain(service: self, failure: reportHere(error))
    }
  }

  /// Runs `statements` on the main context and the calling thread, and returns its result.
  ///
  /// Return values and not objects: outside of its block an object has nothing but its id.
  public func readValue<Output>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      return try readMain(statements)
    } catch {
      throw reportThrown(error)
    }
  }

  /// Runs `statements` on a new context while the calling task is suspended, and returns its result.
  ///
  /// Such reads run side by side, and beside the main context and writes. Each shows one state of the store for its
  /// whole block: every write whose caller was told of it before the read was asked for, and none that comes while
  /// the block runs, the block's own nested writes included. A store that keeps no states (a SQLite file without a
  /// write-ahead log), and one whose commits fail, is read on the main context.
  ///
  /// A task that is cancelled before the block starts reads nothing. If it is cancelled later, the block's running fetch
  /// is interrupted, and it and each later one throw.
  public func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let cancellation = Cancellation()
    do {
      let stack = try stack(for: .read)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          readWorkers.run {
            guard !cancellation.isCancelled else {
              return continuation.resume(throwing: DALError(.cancelled, during: .read))
            }
            let read: @Sendable (ManagedObjectContext) -> Result<Output, any Error> = { context in
              Result { try cancellation.run { try Self.run(statements, on: context) } }
            }
            if let result = stack.readState(read) { return continuation.resume(with: result) }
            stack.main.performLater { continuation.resume(with: read($0)) }
          }
        }
      } onCancel: {
        cancellation.cancel()
      }
    } catch {
      let error = DALError(error, during: .read)
      if case .cancelled = error.code { throw error }
      throw reportThrown(error)
    }
  }

  private func readMain<Output>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      let stack = try stack(for: .read)
      // A thread that holds up other writes never waits for main, because a read on main may wait for a write.
      guard openWrites.current == nil else {
        return try stack.readBesideMain { context in try Self.run(statements, on: context) }
      }
      var result: Result<Output, any Error>?
      let circle = readWorkers.standingAside {
        stack.main.performUnlessCircular { context in
          result = Result { try Self.run(statements, on: context) }
        }
      }
      if let circle { throw DALError(.circularWait(circle), during: .read) }
      guard let result else { trap("A read that was let in ran its block.") }
      return try result.get()
    } catch {
      throw DALError(error, during: .read)
    }
  }

  /// Runs a block. Throws if the block changed an object or if a call in it failed.
  static func run<Output>(
    _ statements: (ManagedObjectContext) throws -> Output, on context: ManagedObjectContext
  ) throws -> Output {
    // Earlier failures belong to the block around this one.
    let earlier = context.takeFailures()
    defer { context.restoreFailures(earlier) }
    let hadChanges = context.hasChanges
    let outcome = Result { try context.refusingSaves { try statements(context) } }
    let failures = context.takeFailures()
    guard hadChanges || !context.hasChanges else {
      let changed = context.insertedObjects.union(context.updatedObjects)
        .union(context.deletedObjects).map(\.objectID).sorted()
      context.rollback()
      let mutation = Result<Output, any Error>.failure(
        DALError(.mutationInRead(changed), during: .read))
      var others = failures
      if case .failure(let error) = outcome { others.insert(error, at: 0) }
      // A refused save of the changes is the same mistake.
      others.removeAll { if case ContextError.savedInRead = $0 { true } else { false } }
      return try BlockFailures.check(mutation, others)
    }
    return try BlockFailures.check(outcome, failures)
  }
}
