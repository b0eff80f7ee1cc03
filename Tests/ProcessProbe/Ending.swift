// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// The stack that lives until the process is gone.
private let keptStack = Guarded<DataStack?>(nil)

/// Saves two times, so that the second save waits for its commit, and returns to the end of `main`.
func playEnding(_ store: URL, keepsStack: Bool) throws {
  let stack = try open(store)
  if keepsStack { keptStack.withLock { $0 = stack } }
  for number in 1...2 {
    try stack.newContext().performAndWait { context in
      Bank.Note.create(in: context).title = "\(number)"
      try context.save()
    }
  }
  say("saved")
}
