// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesStore

/// The number of the last save that a context has heard of. A save compares it with the root's
/// number to find out whether the context missed saves of others.
struct HeardSaves {
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
  var isPatchy = false
}

extension ManagedObjectContext {
  /// The context has heard of every save up to this number.
  final var basis: Int { min(heard.own, heard.ofChildren, source.basis) }

  /// Everything told so far was merged, or will be read.
  /// The context has merged every arrival up to the save, or will read its rows anew.
  final func hasHeard(upTo number: Int) {
    if !heard.isPatchy { heard.own = number }
  }

  /// The context has skipped a save.
  final func missSaves() { heard.isPatchy = true }

  /// The root published a save of this context under the number.
  /// The root has published a save of this context under the number.
  final func wasAccepted(as number: Int) {
    if heard.own == number - 1 { heard.own = number }
  }

  /// Takes over the state of knowledge in which a child made the changes that it saved.
  /// Takes over the number of the last save that a child had heard of, and the marks of its
  /// changes.
  final func inherit(_ save: SaveRequest) {
    heard.ofChildren = min(heard.ofChildren, save.basis)
    if save.durability == .immediate { owesImmediate = true }
    if save.hasLinksToFaults { hasLinksToFaults = true }
  }
}
