// SPDX-License-Identifier: MIT
import Dispatch

/// A piece of work on a thread of its own, to be waited for.
struct BlockingThread: Sendable {
  fileprivate let group = DispatchGroup()

  func wait() { group.wait() }
}

/// Starts work that may block, away from the threads that tests share.
func onThread(_ body: @escaping @Sendable () -> Void) -> BlockingThread {
  let thread = BlockingThread()
  DispatchQueue.global().async(group: thread.group, execute: body)
  return thread
}
