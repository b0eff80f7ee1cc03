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
      try readMain(statements)
      return Chain(service: self, failure: nil)
    } catch {
      handleError(error)
      return Chain(service: self, failure: error)
    }
  }

  /// Returns what `statements` finds on the main context.
  ///
  /// Return values, not objects: an object outside its block has nothing but an id.
  public func readValue<Output>(
    _ statements: (ManagedObjectContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      return try readMain { try statements($0) }
    } catch {
      handleError(error)
      throw error
    }
  }

  /// Returns what `statements` finds on the main context, without blocking the calling task's
  /// thread.
  public func read<Output: Sendable>(
    _ statements: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws(DALError) -> Output {
    do {
      let stack = try stack()
      return try await stack.main.perform { context in try Self.run(statements, on: context) }
    } catch {
      let error = DALError(error, during: .read)
      handleError(error)
      throw error
    }
  }

  private func readMain<Output>(
    _ statements: (ReportingContext) throws -> Output
  ) throws(DALError) -> Output {
    do {
      let stack = try stack()
      return try stack.main.performAndWait { context in
        guard let context = context as? ReportingContext else {
          preconditionFailure("The main context of a stack takes reports of failures.")
        }
        return try Self.run({ _ in try statements(context) }, on: context)
      }
    } catch {
      throw DALError(error, during: .read)
    }
  }

  /// Runs a block and sees that it changed nothing and that nothing in it failed.
  private static func run<Output>(
    _ statements: (ManagedObjectContext) throws -> Output, on context: ManagedObjectContext
  ) throws -> Output {
    let hadChanges = context.hasChanges
    let outcome = Result { try statements(context) }
    let failures = context.takeFailures()
    if !hadChanges && context.hasChanges {
      context.rollback()
      throw DALError(.mutationInRead, during: .read)
    }
    let output = try outcome.get()
    if let first = failures.first { throw first }
    return output
  }
}
