// SPDX-License-Identifier: MIT
public import CoreData
public import Foundation

/// An actor whose code runs on the queue of a context. The macro of the package writes the conformance and both properties; the
/// table of suites has them as text.
public protocol NSModelActor: Actor {
  nonisolated var modelContainer: NSPersistentContainer { get }
  nonisolated var modelExecutor: NSModelObjectContextExecutor { get }
}

extension NSModelActor {
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    modelExecutor.asUnownedSerialExecutor()
  }

  /// The context of the actor.
  public var modelContext: NSManagedObjectContext { modelExecutor.context }

  /// Calls a block with the context.
  public func withContext<Output>(
    _ body: (NSManagedObjectContext) throws -> sending Output
  ) rethrows -> sending Output {
    try body(modelContext)
  }
}

/// Runs an actor's jobs in blocks of a context.
public final class NSModelObjectContextExecutor: SerialExecutor, @unchecked Sendable {
  // @unchecked: the actor alone uses the context, in the context's blocks.

  /// The context.
  public let context: NSManagedObjectContext

  /// Runs jobs in blocks of a context.
  public init(context: NSManagedObjectContext) { self.context = context }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    context.perform { job.runSynchronously(on: executor) }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }
}
