// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesModel

/// The newest value of each observer, which one thread compares with what a fetch has found.
///
/// The thread sleeps until the last observer has its value, however many values come before.
final class ObservedBoard: Sendable {
  private struct State {
    var shown: [[ShownRow]?]
    var wanted: [[ShownRow]] = []
    /// The observers whose newest value is not the wanted one.
    var late: Set<Int> = []
    var errors: [Int: String] = [:]
    var isAwaited = false

    /// Somebody waits, and has waited long enough.
    mutating func endsWaiting() -> Bool {
      guard isAwaited, late.isEmpty || !errors.isEmpty else { return false }
      isAwaited = false
      return true
    }
  }

  private let state: Guarded<State>
  private let bell = DispatchSemaphore(value: 0)

  init(_ count: Int) { state = Guarded(State(shown: Array(repeating: nil, count: count))) }

  /// Takes a value of an observer.
  func show(_ value: [ShownRow], _ place: Int) {
    let ends = state.withLock { state in
      state.shown[place] = value
      guard state.isAwaited else { return false }
      if state.wanted[place] == value { state.late.remove(place) } else { state.late.insert(place) }
      return state.endsWaiting()
    }
    if ends { bell.signal() }
  }

  /// Takes the error with which an observation has ended.
  func end(_ place: Int, _ error: any Error) {
    let ends = state.withLock { state in
      state.errors[place] = "\(error)"
      return state.endsWaiting()
    }
    if ends { bell.signal() }
  }

  /// Waits until all observers have the wanted values. Returns the places of those that do not, and what is wrong with them.
  func wait(for wanted: [[ShownRow]]) -> [(place: Int, text: String)] {
    let waits = state.withLock { state in
      state.wanted = wanted
      state.late = Set(wanted.indices.filter { state.shown[$0] != wanted[$0] })
      state.isAwaited = !state.late.isEmpty && state.errors.isEmpty
      return state.isAwaited
    }
    if waits { _ = bell.wait(timeout: .now() + .seconds(3_600)) }
    return state.withLock { state in
      state.isAwaited = false
      if !state.errors.isEmpty { return state.errors.map { ($0, "threw \($1)") } }
      return state.late.sorted().map { place in
        (place, "has \(state.shown[place] ?? []), and a fetch finds \(wanted[place])")
      }
    }
  }
}
