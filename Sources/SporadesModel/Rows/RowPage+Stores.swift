// SPDX-License-Identifier: MIT

extension [RowPage] {
  /// Puts all keys of the rows, their own and those they refer to, into another store.
  ///
  /// Pages that nobody else holds are changed where they lie, the others are copied.
  package mutating func move(toStore store: Int) {
    for place in indices {
      if !isKnownUniquelyReferenced(&self[place]) { self[place] = self[place].copy() }
      self[place].setStore(store)
    }
  }
}

extension RowPage {
  /// The same rows with all their keys in another store.
  package func moved(toStore store: Int) -> RowPage {
    let page = copy()
    page.setStore(store)
    return page
  }

  fileprivate func copy() -> RowPage {
    var builder = RowPageBuilder(layout: layout, capacity: count)
    for index in 0..<count { builder.appendCopy(of: index, in: self) }
    return builder.finish()
  }

  fileprivate func setStore(_ store: Int) {
    for index in 0..<count {
      let row = unsafe row(index)
      unsafe row.key = unsafe row.key.inStore(store)
      for slot in layout.referenceSlots where !isNull(index, slot: slot) {
        let held = unsafe RowKey(rawValue: row.word(slot, layout.places))
        unsafe row.set(slot, to: held.inStore(store).rawValue, layout.places)
      }
    }
  }
}
