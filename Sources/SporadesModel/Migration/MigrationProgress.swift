// SPDX-License-Identifier: MIT

/// The progress of a migration, which another thread can watch and cancel.
public final class MigrationProgress: Sendable {
  private struct State {
    var fraction = 0.0
    var isCancelled = false
    var formerStorePath: String?
    var observers: [@Sendable (Double) -> Void] = []
    var cancellations: [@Sendable () -> Void] = []
  }

  private let state = Guarded(State())
  private let whole: Whole?

  /// The progress that this one is a part of.
  private struct Whole {
    let progress: MigrationProgress
    let part: ClosedRange<Double>
  }

  /// Makes the progress of a migration that has not begun.
  public init() { whole = nil }

  /// Makes the progress of a part of the work. It advances the whole, and stops when the whole is cancelled.
  package init(of part: ClosedRange<Double>, in whole: MigrationProgress) {
    self.whole = Whole(progress: whole, part: part)
  }

  /// The part of the work that is done, from 0 to 1.
  public var fractionCompleted: Double { state.withLock(\.fraction) }

  /// Whether somebody cancelled the migration.
  public var isCancelled: Bool {
    state.withLock(\.isCancelled) || whole?.progress.isCancelled == true
  }

  /// The path of the store as it was, if it was kept or set aside.
  public var formerStorePath: String? { state.withLock(\.formerStorePath) }

  /// Stops the migration within milliseconds, also in the middle of a long statement. The store stays as it was.
  ///
  /// Code of a stage is stopped at its next fetch, which throws. Code for rows is stopped between two rows.
  public func cancel() {
    let bodies = state.withLock { state in
      state.isCancelled = true
      defer { state.cancellations = [] }
      return state.cancellations
    }
    for body in bodies { body() }
  }

  /// Calls `body` once, on the thread that cancels, or now if somebody has cancelled already.
  package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
    if let whole { return whole.progress.whenCancelled(body) }
    let isTooLate = state.withLock { state in
      if !state.isCancelled { state.cancellations.append(body) }
      return state.isCancelled
    }
    if isTooLate { body() }
  }

  /// Calls `body` on the migrating thread as the fraction grows.
  public func observe(_ body: @escaping @Sendable (Double) -> Void) {
    state.withLock { $0.observers.append(body) }
  }

  package func note(formerStore path: String?) { state.withLock { $0.formerStorePath = path } }

  /// Records the part that is done. A smaller fraction than before changes nothing.
  package func advance(to fraction: Double) {
    let observers = state.withLock { state -> [@Sendable (Double) -> Void] in
      guard fraction > state.fraction else { return [] }
      state.fraction = min(fraction, 1)
      return state.observers
    }
    for body in observers { body(min(fraction, 1)) }
    if let whole {
      let size = whole.part.upperBound - whole.part.lowerBound
      whole.progress.advance(to: whole.part.lowerBound + size * min(fraction, 1))
    }
  }
}

extension MigrationProgress: CustomStringConvertible {
  /// The part that is done: `42 %`.
  public var description: String { "\(Int((fractionCompleted * 100).rounded(.down))) %" }
}

extension MigrationProgress: Hashable {
  /// A progress equals itself alone.
  public static func == (left: MigrationProgress, right: MigrationProgress) -> Bool {
    left === right
  }

  /// Feeds the identity of the progress.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
