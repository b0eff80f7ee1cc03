// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension FetchRequest {
  /// Whether the fetch reads only ids. The values are read on first access.
  var readsIDsAlone: Bool {
    returnsObjectsAsFaults && (fetchBatchSize != nil || !includesPropertyValues)
  }
}

extension ManagedObjectContext {
  /// Moves the changes of fetched objects onto their newly stored rows.
  func refetch(_ objects: [ManagedObject]) throws(StoreError) {
    let changed = objects.filter { $0.isUpdated && $0.state.contains(.open) }
    guard !changed.isEmpty else { return }
    let known = Dictionary(
      changed.map { ($0.key, $0) }, uniquingKeysWith: { one, _ in one })
    for page in try source.rows(for: changed.map(\.key)) {
      for index in 0..<page.count {
        guard let object = known[page.key(index)], object.basePlace?.version != page.version(index)
        else { continue }
        rebase(object, on: page, index)
        callHook { object.awake(fromSnapshotEvents: .refresh) }
      }
    }
  }
}
