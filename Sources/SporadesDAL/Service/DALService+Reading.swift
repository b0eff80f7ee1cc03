// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension DALService {
  /// Runs `statements` on the main context and the calling thread.
  ///
  /// The service undoes changes that the block makes, and reports them as an error. In asynchronous code use the
  /// `read` that returns a value.
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
      throw reportHere(error)
    }
  }

  /// Runs `statements` on the main context while the calling task is suspended, and returns its result.
  ///
  /// A task that is cancelled before the block starts reads nothing.
  public func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let start = CancellableStart()
    do {
      let main = try stack(for: .read).main
      return try await withTaskCancellationHandler {
        try await main.perform { context in
          guard start.start() else { throw DALError(.cancelled, during: .read) }
          return try Self.run(statements, on: context)
        }
      } onCancel: {
        start.cancel()
      }
    } catch {
      let error = DALError(error, during: .read)
      if case .cancelled = error.code { throw error }
      throw reportHere(error)
    }
  }

  private func readMain<Output>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      return try stack(for: .read).main.performAndWait { context in
        try Self.run(statements, on: context)
      }
    } catch {
      throw DALError(error, during: .read)
    }
  }

  /// Runs a block. Throws if the block changed an object or if a call in it failed.
  private static func run<Output>(
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
      if case .failure(let error) = outcome {
        return try BlockFailures.check(mutation, [error] + failures)
      }
      return try BlockFailures.check(mutation, failures)
    }
    return try BlockFailures.check(outcome, failures)
  }
}
