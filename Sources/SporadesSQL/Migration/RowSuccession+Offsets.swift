// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

// Rows of two tables that come together may have the same keys. Those of the later table then grow.
extension RowSuccession {
  /// The offsets of the keys that collide with those of an earlier piece. `largest` are the largest keys of the old tables,
  /// and `collides` tells whether two pieces have a key in common.
  package func keyOffsets(
    largest: [Int: Int64], _ collides: (Piece, Piece) throws(StoreError) -> Bool
  ) throws(StoreError) -> [Piece: Int64] {
    var offsets: [Piece: Int64] = [:]
    for place in new.tables {
      let pieces = pieces(of: place)
      var end = pieces.first.flatMap { largest[$0.old] } ?? 0
      for (index, piece) in pieces.enumerated().dropFirst() {
        var isTaken = false
        for other in pieces[..<index] where !isTaken {
          // The keys of a piece with an offset end where those of this one would begin.
          if offsets[other] == nil {
            isTaken = try collides(other, piece)
          } else {
            isTaken = true
          }
        }
        let own = largest[piece.old] ?? 0
        guard isTaken else {
          end = max(end, own)
          continue
        }
        offsets[piece] = end
        let (sum, overflows) = end.addingReportingOverflow(own)
        guard !overflows, sum <= RowKey.largestPrimaryKey else {
          throw StoreError(
            .unsupported,
            "The keys of \(old.table(piece.old).name) are too large to come into one table with others."
          )
        }
        end = sum
      }
    }
    return offsets
  }
}
