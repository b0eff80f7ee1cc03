// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// What a context knows of its saves, and how it saves.
package struct SaveState {
  /// The save that the context is in.
  var stage = SaveStage.none
  /// The place where `save()` puts the changes.
  var place = SavePlace.parent
  /// The context that does not hear of this context's saves, if it is another one.
  var sender: ObjectIdentifier?
  /// Called with each accepted save.
  var onAccept: ((ChangeSet) -> Void)?
  /// Whether a child's save asked for `immediate` durability. The save of this context must then
  /// provide it.
  var owesImmediate = false
  /// Whether an immediate save may be committed with others, because its maker waits for the commit elsewhere.
  var sharesCommit = false
  /// Whether the program must hear of changes that go away with the context. Those of a write's staging context go away
  /// with the write.
  var hintsAtLoss = true
  /// Whether a save checks the objects against the model. A migration checks them at its end.
  package var validatesChanges = true
  /// Whether the context calls methods that classes of objects override. A batch does not.
  package var callsHooks = true
  /// Whether derived totals follow the changes of a save. Otherwise the members are added up.
  var followsTotals = true
  /// The objects that the last save refused.
  var refused: Set<ManagedObjectID> = []
  /// The failures of the object under validation against its model.
  var modelFailures: [ValidationError.Failure] = []
}
