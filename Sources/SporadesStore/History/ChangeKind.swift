// SPDX-License-Identifier: MIT

/// The kind of a change, as a history numbers it.
package enum ChangeKind: Int64 {
  case insert = 0
  case update = 1
  case delete = 2
}
