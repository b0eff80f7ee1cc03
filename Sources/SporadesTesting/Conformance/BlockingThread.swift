// SPDX-License-Identifier: MIT
import Dispatch

/// Work on a separate thread, with a way to wait for its end.
struct BlockingThread: Sendable {
  fileprivate let group = DispatchGroup()

  func wait() { group.wait() }
}

/// Starts work that may block on a thread that no test shares.
func startThread(_ body: @escaping @Sendable () -> Void) -> BlockingThread {
  let thread = BlockingThread()
  DispatchQueue.global().async(group: thread.group, execute: body)
  return thread
}
