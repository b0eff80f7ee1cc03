// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension DALService {
  /// Runs `statements` on the main context, on the calling thread, before it returns.
  ///
  /// Changes made in the block are undone and reported. In asynchronous code use the form that
  /// returns a value.
  @discardableResult
  public func read(_ statements: (ReportingContext) throws -> Void) -> Chain {
    do {
      try readMain { try statements(ReportingContext($0)) }
      return Chain(service: self, failure: nil)
    } catch {
      return Chain(service: self, failure: tell(error))
    }
  }

  /// Returns what `statements` finds on the main context.
  ///
  /// Return values, not objects: an object outside its block has nothing but an id.
  public func readValue<Output>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      return try readMain(statements)
    } catch {
      throw tell(error)
    }
  }

  /// Returns what `statements` finds on the main context, without blocking the calling task's
  /// thread. A task that was cancelled before its turn comes reads nothing.
  public func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    let turn = Turn()
    do {
      let main = try stack(for: .read).main
      return try await withTaskCancellationHandler {
        try await main.perform { context in
          guard turn.begin() else { throw DALError(.cancelled, during: .read) }
          return try Self.run(statements, on: context)
        }
      } onCancel: {
        turn.cancel()
      }
    } catch {
      let error = DALError(error, during: .read)
      if case .cancelled = error.code { throw error }
      throw tell(error)
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

  /// Runs a block and sees that it changed nothing and that nothing in it failed.
  private static func run<Output>(
    _ statements: (ManagedObjectContext) throws -> Output, on context: ManagedObjectContext
  ) throws -> Output {
    // What failed earlier in a block around this one is that block's.
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
