// SPDX-License-Identifier: MIT

extension [RowPage] {
  /// Sets the store of all keys in the rows: their own keys and the keys that they refer to.
  ///
  /// A page that nobody else holds changes in place. Other pages are copied.
  package mutating func move(toStore store: Int) {
    for index in indices {
      if !isKnownUniquelyReferenced(&self[index]) { self[index] = self[index].copy() }
      self[index].setStore(store)
    }
  }
}

extension RowPage {
  /// Copies the page and sets the store of all keys in the copy.
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
