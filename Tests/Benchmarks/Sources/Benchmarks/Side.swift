// SPDX-License-Identifier: MIT

/// Who does the work.
enum Side: Hashable, CaseIterable {
  /// SQLite's C functions, by hand.
  case raw
  /// Sporades.
  case ours
}
