// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// The part of an event that results have to look at.
struct Touched {
  /// The objects whose values changed, or that came or went.
  var changed: Set<ManagedObject> = []
  /// The objects whose place may be another one, although their values are the same.
  var displaced: Set<ManagedObject> = []
  /// The results must be fetched again, because the objects that came, went or moved are not known.
  var needsFetch = false
  /// The values of any object may have changed.
  var isOfUnknownValues = false

  var isEmpty: Bool { changed.isEmpty && displaced.isEmpty && !needsFetch }
  /// The objects of both kinds.
  var all: Set<ManagedObject> { displaced.isEmpty ? changed : changed.union(displaced) }

  /// Every object of the context.
  static var everything: Touched {
    var touched = Touched()
    touched.needsFetch = true
    touched.isOfUnknownValues = true
    return touched
  }
}
