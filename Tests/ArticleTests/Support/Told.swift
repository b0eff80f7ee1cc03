// SPDX-License-Identifier: MIT
import Foundation

/// Counts the calls of completions, and keeps their errors. The main queue calls them.
final class Told: @unchecked Sendable {
  // @unchecked: a lock guards the errors.
  private let lock = NSLock()
  private var kept: [NSError] = []
  private let (calls, continuation) = AsyncStream.makeStream(of: Void.self)

  var errors: [NSError] { lock.withLock { kept } }

  func add(_ error: NSError?) {
    lock.withLock { if let error { kept.append(error) } }
    continuation.yield()
  }

  /// Waits for further calls.
  func wait(for count: Int) async {
    var left = count
    for await _ in calls {
      left -= 1
      if left == 0 { return }
    }
  }
}
