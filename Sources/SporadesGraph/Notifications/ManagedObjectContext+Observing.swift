// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// Calls `body` on the context's queue with everything that happens in the context, until the
  /// returned observation is ended or let go of.
  ///
  /// Nothing observers do is undone or stopped by one that throws: its error goes to `onError`.
  /// Changes an observer makes or saves are told to all when they have heard what came before.
  public func observe(
    _ body: @escaping (ContextChange) throws -> Void,
    onError: @escaping (any Error) -> Void = { print("Sporades: an observer failed: \($0)") }
  ) -> ContextObservation {
    checkQueue()
    return listeners().add(body, onError)
  }

  /// The observers of the context; nil where nobody has observed it yet.
  var observers: ContextObservers? { observersPart as? ContextObservers }

  func listeners() -> ContextObservers {
    if let observers { return observers }
    let new = ContextObservers()
    observersPart = new
    return new
  }
}
