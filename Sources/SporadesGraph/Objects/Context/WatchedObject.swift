// SPDX-License-Identifier: MIT
import SporadesModel

/// An object that was read and relied on, and the row it showed then.
struct WatchedObject {
  let object: ManagedObject
  var base: RowPlace
}
