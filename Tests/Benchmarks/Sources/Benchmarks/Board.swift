// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import Synchronization

/// The newest values of many observers, for a thread that waits for them.
final class Board<Value: Sendable>: Sendable {
  private let values: Mutex<[Value?]>
  private let news = DispatchSemaphore(value: 0)
  private let tasks = Mutex<[Task<Void, Never>]>([])

  /// Follows each observation on a task of its own.
  init(_ observed: [ObservedValues<Value>]) {
    values = Mutex(Array(repeating: nil, count: observed.count))
    for (place, sequence) in observed.enumerated() {
      let task = Task { [weak self] in
        do {
          for try await value in sequence { self?.show(value, place) }
        } catch {
          fatalError("An observation failed: \(error)")
        }
      }
      tasks.withLock { $0.append(task) }
    }
    wait { $0.allSatisfy { $0 != nil } }
  }

  deinit { for task in tasks.withLock(\.self) { task.cancel() } }

  private func show(_ value: Value, _ place: Int) {
    values.withLock { $0[place] = value }
    news.signal()
  }

  /// Blocks until the newest values satisfy the condition.
  func wait(until condition: ([Value?]) -> Bool) {
    while !values.withLock({ condition($0) }) { news.wait() }
  }
}
