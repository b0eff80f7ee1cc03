// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects that a merge policy decides on, with the rows that they showed before. When all is
/// decided, the objects whose values differ are awakened.
struct ResolvedObjects {
  /// The row is nil if the context had deleted the object, or if it had no values.
  private var formers: [(object: ManagedObject, row: RowPlace?)] = []

  mutating func note(_ object: ManagedObject, showing base: RowPlace? = nil) {
    let former = object.isDeleted ? nil : base ?? object.place
    formers.append((object, former?.copy))
  }

  func awakeChanged() {
    for (object, former) in formers where !object.isDeleted && !object.state.contains(.gone) {
      if object.isFault { object.home.context?.fulfil(object) }
      guard let place = object.place, former?.hasSameValues(as: place) != true else { continue }
      object.awake(fromSnapshotEvents: .mergePolicy)
    }
  }
}
