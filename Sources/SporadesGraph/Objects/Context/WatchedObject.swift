// SPDX-License-Identifier: MIT
import SporadesModel

/// An object that the context read and relied on, with the row that it showed then.
struct WatchedObject {
  let object: ManagedObject
  var base: RowPlace
}
