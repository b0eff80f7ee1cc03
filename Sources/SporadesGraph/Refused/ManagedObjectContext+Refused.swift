// SPDX-License-Identifier: MIT
import SporadesModel

// Calls of Core Data that no context takes. The compiler reports one sentence for each.
extension ManagedObjectContext {
  /// Refuses a block on a context: the queue takes it.
  @available(
    *, unavailable,
    message:
      "whoever has a context is in its block already, so use it directly; the queue that newContext() returns has perform and performAndWait"
  )
  public func perform<Output>(_ body: @escaping () throws -> Output) -> Output {
    trap("The compiler refuses this call.")
  }

  /// Refuses a block on a context: the queue takes it.
  @available(
    *, unavailable,
    message:
      "whoever has a context is in its block already, so use it directly; the queue that newContext() returns has perform and performAndWait"
  )
  public func performAndWait<Output>(_ body: () throws -> Output) -> Output {
    trap("The compiler refuses this call.")
  }
}
