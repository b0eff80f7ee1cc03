// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesStore

/// Up to which save a context knows what others did, so that a save can tell whether it missed one.
struct HeardSaves {
  /// What the context has heard itself; a context over another hears nothing itself.
  var own = Int.max
  /// What the children had heard whose changes were taken since the last save.
  var ofChildren = Int.max
  /// Up to which save derived values were computed anew, of what was stored.
  var ofDerivations = 0
  /// Up to which loss conflicts with the rows of lost saves were settled.
  var ofLosses = 0
  /// Saves were left out: what comes later does not make up for them.
  var isPatchy = false
}

extension ManagedObjectContext {
  /// The number of the last save before which everything was heard of.
  final var basis: Int { min(heard.own, heard.ofChildren, source.basis) }

  /// Everything told so far was merged, or will be read.
  final func hasHeard(upTo number: Int) {
    if !heard.isPatchy { heard.own = number }
  }

  /// A save was left out.
  final func missSaves() { heard.isPatchy = true }

  /// The root published a save of this context under the number.
  final func wasAccepted(as number: Int) {
    if heard.own == number - 1 { heard.own = number }
  }

  /// Takes over the state of knowledge in which a child made the changes that it saved.
  final func inherit(_ save: SaveRequest) {
    heard.ofChildren = min(heard.ofChildren, save.basis)
    if save.durability == .immediate { owesImmediate = true }
    if save.hasLinksToFaults { hasLinksToFaults = true }
  }
}
