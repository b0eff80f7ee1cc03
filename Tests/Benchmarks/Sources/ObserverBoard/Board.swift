// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
package import Sporades

/// The newest values of many observers, for a thread that waits for them.
package final class Board<Value: Sendable>: @unchecked Sendable {
  // @unchecked: the lock guards the values, and nobody changes the tasks after the start.
  private let lock = NSLock()
  private var values: [Value?]
  private let news = DispatchSemaphore(value: 0)
  private var tasks: [Task<Void, Never>] = []

  /// Follows each observation on a task of its own.
  package init(_ observed: [ObservedValues<Value>]) {
    values = Array(repeating: nil, count: observed.count)
    for (place, sequence) in observed.enumerated() {
      let task = Task { [weak self] in
        do {
          for try await value in sequence { self?.show(value, place) }
        } catch {
          fatalError("An observation failed: \(error)")
        }
      }
      tasks.append(task)
    }
    wait { $0.allSatisfy { $0 != nil } }
  }

  deinit { for task in tasks { task.cancel() } }

  private func show(_ value: Value, _ place: Int) {
    lock.withLock { values[place] = value }
    news.signal()
  }

  /// Blocks until the newest values satisfy the condition.
  package func wait(until condition: ([Value?]) -> Bool) {
    while !lock.withLock({ condition(values) }) { news.wait() }
  }
}
