// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// Calls `body` on the context's queue with every event of the context, until the returned
  /// observation ends or is released.
  ///
  /// An observer that throws stops no other observer, and `onError` gets its error; without it, standard error does. Events that an
  /// observer causes are posted after all observers have heard of the earlier ones.
  public func observe(
    _ body: @escaping (ContextChange) throws -> Void,
    onError: ((any Error) -> Void)? = nil
  ) -> ContextObservation {
    checkQueue()
    return ensureObservers().add(
      body, onError ?? { writeToStandardError("Sporades: an observer failed: \($0)\n") })
  }

  /// Does the same for an observer that reads the objects of changes and of saves, and the ids of saves and merges alone.
  package func observeObjects(
    _ body: @escaping (ContextChange) -> Void
  ) -> ContextObservation {
    ensureObservers().add(body, { _ in }, readsAll: false)
  }

  func ensureObservers() -> ContextObservers {
    if let observers { return observers }
    let new = ContextObservers()
    observers = new
    return new
  }
}
