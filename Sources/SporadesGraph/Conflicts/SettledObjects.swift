// SPDX-License-Identifier: MIT
import SporadesModel

/// Objects a merge policy decides on, and what they showed before, so that those that show something
/// else afterwards can be told when all is decided.
struct SettledObjects {
  /// Without a row where the object was deleted here, or had no values.
  private var formers: [(object: ManagedObject, row: RowPlace?)] = []

  mutating func note(_ object: ManagedObject, showing base: RowPlace? = nil) {
    let former = object.isDeleted ? nil : base ?? object.place
    formers.append((object, former?.copy))
  }

  func awake() {
    for (object, former) in formers where !object.isDeleted && !object.state.contains(.gone) {
      if object.isFault { object.home.context?.fulfil(object) }
      guard let place = object.place, former?.hasSameValues(as: place) != true else { continue }
      object.awake(fromSnapshotEvents: .mergePolicy)
    }
  }
}
