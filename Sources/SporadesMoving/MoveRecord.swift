// SPDX-License-Identifier: MIT
import SporadesModel

/// The rows that a move has written, so that it removes no others when it fails.
final class MoveRecord {
  /// The keys of the rows of each tree, in the order in which they are written.
  let trees: [[RowKey]]
  /// The number of rows that are committed, over all trees.
  var count = 0
  /// The keys of the batch that is being written. All of it is committed, or nothing.
  var open: [RowKey] = []

  /// Nothing was written.
  var isEmpty: Bool { count == 0 && open.isEmpty }

  init(_ trees: [[RowKey]]) { self.trees = trees }

  /// Whether the move has written all rows of a tree with the keys. Nil is a tree that it does not write.
  func hasWritten(_ keys: [RowKey], tree: Int?) -> Bool {
    guard let tree else { return keys.isEmpty }
    let earlier = trees[..<tree].reduce(0) { $0 + $1.count }
    let own = Set(trees[tree].prefix(max(0, count - earlier)))
    let others = Set(keys).subtracting(own)
    // A commit may have taken place though it failed.
    return others.isEmpty || others == Set(open)
  }
}
