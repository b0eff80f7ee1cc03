// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// A stack that lives until the process is gone.
nonisolated(unsafe) private var keptStack: DataStack?

/// Saves two times, so that the second save waits for its commit, and returns to the end of `main`.
func playEnding(_ store: URL, keepsStack: Bool) throws {
  let stack = try open(store)
  // Unsafe because only this thread knows it.
  if keepsStack { unsafe keptStack = stack }
  for number in 1...2 {
    try stack.newContext().performAndWait { context in
      Bank.Note.create(in: context).title = "\(number)"
      try context.save()
    }
  }
  say("saved")
}
