// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesModel
import SporadesStore

// Merging of what a parent shows, without a wait.
extension ContextQueue {
  /// Merges what the parent has shown, in a block of its own.
  ///
  /// The parent's queue reads the rows and hands them over, so that neither queue waits for the other: a block of the parent
  /// may be waiting for this queue. What needs more than these rows waits for the next block.
  func mergeShown() {
    parent?.performLater { [weak self] parent in
      guard let self, let source, let shown = arrivals.shown else { return }
      var rows: [RowKey: RowPage] = [:]
      do throws(StoreError) {
        for page in try source.rows(with: shown.keys, in: parent.stack) {
          for index in 0..<page.count { rows[page.key(index)] = page.copy(of: index) }
        }
      } catch {
        // The next block reads the rows itself, and reports what it cannot read.
        return
      }
      merge(shown, withRows: rows)
    }
  }

  private func merge(_ shown: Arrivals.Shown, withRows rows: [RowKey: RowPage]) {
    queue.async { [self] in
      let (taken, isMoreWaiting) = arrivals.take(shown)
      if !taken.isEmpty {
        context.access.hold {
          context.merge(taken, withRows: rows)
          context.endPieceOfWork()
        }
      }
      if isMoreWaiting { mergeShown() }
    }
  }
}
