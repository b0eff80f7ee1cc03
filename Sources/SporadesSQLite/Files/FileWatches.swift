// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
import SporadesModel
import SporadesStore

/// The files of which the process wants to know that somebody writes to them.
///
/// All files share one descriptor, because the system gives a user few of them. The descriptor is read at most a hundred
/// times a second, so that a long write costs its writer nothing: the system keeps one notice for many writes. It is read ten
/// times a second while the process itself writes, so that its small writes cost nothing either.
final class FileWatches: Sendable {
  static let shared = FileWatches()

  private struct Listener {
    let number: Int
    let written: @Sendable () -> Bool
  }

  private struct State {
    /// By the system's number of the file, in a type for whose dictionaries the runtime need not look long.
    var listeners: [Int: [Listener]] = [:]
    var last = 0
  }

  /// Negative where the system has no such notices.
  private let descriptor: Int32
  private let source = Guarded<(any DispatchSourceRead)?>(nil)
  private let queue = DispatchQueue(label: "sporades.watches", qos: .userInitiated)
  private let state = Guarded(State())
  private static let pause = DispatchTimeInterval.milliseconds(10)
  private static let pauseAfterOwnWrites = DispatchTimeInterval.milliseconds(100)

  private init() {
    descriptor = sporades_open_watch()
    guard descriptor >= 0 else { return }
    source.withLock { source in
      let new = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      new.setEventHandler { [unowned self] in deliver() }
      new.activate()
      source = new
    }
  }

  /// Calls `written` soon after somebody has written to the file, until the observation ends. It returns whether the caller
  /// has written itself. Nil if the system gives no notices of the file.
  func add(_ path: String, _ written: @escaping @Sendable () -> Bool) -> StoreObservation? {
    guard descriptor >= 0 else { return nil }
    return state.withLock { state in
      let file = unsafe sporades_add_watch(descriptor, path)
      guard file >= 0 else { return nil }
      state.last += 1
      let number = state.last
      state.listeners[Int(file), default: []].append(Listener(number: number, written: written))
      return StoreObservation { [self] in remove(number, of: file) }
    }
  }

  private func remove(_ number: Int, of file: Int32) {
    state.withLock { state in
      state.listeners[Int(file)]?.removeAll { $0.number == number }
      guard state.listeners[Int(file)]?.isEmpty == true else { return }
      state.listeners[Int(file)] = nil
      sporades_remove_watch(descriptor, file)
    }
  }

  private func deliver() {
    var written: Set<Int> = []
    var numbers = [Int32](repeating: 0, count: 64)
    while true {
      let count = Int(
        unsafe numbers.withUnsafeMutableBufferPointer {
          unsafe sporades_take_watched(descriptor, $0.baseAddress, Int32($0.count))
        })
      guard count > 0 else { break }
      for number in numbers[..<count] { written.insert(Int(number)) }
    }
    let listeners = state.withLock { state in
      // The system has dropped notices, so any file may be meant.
      written.contains(-1)
        ? state.listeners.values.flatMap(\.self)
        : written.flatMap { state.listeners[$0] ?? [] }
    }
    // Each listener is called.
    let others = listeners.count { !$0.written() }
    let pause = others == 0 ? Self.pauseAfterOwnWrites : Self.pause
    source.withLock { $0?.suspend() }
    queue.asyncAfter(deadline: .now() + pause) { [self] in source.withLock { $0?.resume() } }
  }
}
