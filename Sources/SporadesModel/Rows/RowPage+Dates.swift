// SPDX-License-Identifier: MIT

extension RowPage {
  /// Replaces each date of the rows, in seconds since 2001. Nobody else may see the page yet.
  package func replaceDates(_ replaced: (Double) -> Double) {
    let slots = layout.slots.indices.filter { slot in
      guard case .attribute(let attribute) = layout.slots[slot].role else { return false }
      return attribute.type == .date
    }
    for slot in slots {
      for index in 0..<count where !isNull(index, slot: slot) {
        let seconds = Double(bitPattern: word(index, slot: slot))
        let new = replaced(seconds)
        // A child context may show the page already, with dates that it has replaced itself.
        if new != seconds { unsafe row(index).set(slot, to: new.bitPattern, layout.places) }
      }
    }
  }
}
