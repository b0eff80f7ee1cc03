// SPDX-License-Identifier: MIT

/// What the code does that asks a store.
package enum WriteScope {
  /// The code is a write, and relies on what it reads. A store with several places for reads takes the newest.
  @TaskLocal package static var isWrite = false
}
