// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesStore

/// The last save that a context has heard of, and what it takes over from a child's, such as its durability. A save compares
/// it with the root's number to find out whether the context missed saves of others.
struct KnownSaves {
  /// The last save that the context itself has heard of. A context over a context hears nothing
  /// from the root, so it keeps the greatest number.
  var own = Int.max
  /// The last save that the children had heard of when they saved into this context, since its own
  /// last save.
  var ofChildren = Int.max
  /// The save up to which derived values are computed from stored values.
  var ofDerivations = 0
  /// The lost save up to which conflicts are resolved.
  var ofLosses = 0
  /// Whether the context has skipped a save. Later saves do not make up for it.
  var hasGaps = false
}

extension ManagedObjectContext {
  /// The context has heard of every save up to this number.
  final var basis: Int { min(hearing.known.own, hearing.known.ofChildren, source.basis) }

  /// The context has merged every arrival up to the save, or will read its rows anew.
  final func noteSaves(upTo number: Int) {
    if !hearing.known.hasGaps { hearing.known.own = number }
  }

  /// The context has skipped a save.
  final func noteMissedSave() { hearing.known.hasGaps = true }

  /// The root has published a save of this context under the number.
  final func noteAcceptedSave(_ number: Int) {
    if hearing.known.own == number - 1 { hearing.known.own = number }
  }

  /// Takes over the number of the last save that a child had heard of, and the marks of its
  /// changes.
  final func inherit(_ save: SaveRequest) {
    hearing.known.ofChildren = min(hearing.known.ofChildren, save.basis)
    if save.durability == .immediate { saving.owesImmediate = true }
    if save.hasLinksToFaults { hasLinksToFaults = true }
  }
}
