// SPDX-License-Identifier: MIT
package import SporadesModel

extension ChangeSet {
  /// The keys that the changed reference slots and the new links lead to. A key may appear more than once.
  package var targets: [RowKey] {
    var all: [RowKey] = []
    visitReferences { page, index, slot in
      if let target = page.reference(index, slot: slot) { all.append(target) }
    }
    for change in links { for link in change.added { all.append(link.other) } }
    return all
  }

  /// Calls `body` with every changed reference slot.
  package func visitReferences(_ body: (RowPage, _ index: Int, _ slot: Int) -> Void) {
    for page in inserted {
      for slot in page.layout.referenceSlots {
        for index in 0..<page.count { body(page, index, slot) }
      }
    }
    for rows in updated {
      for slot in rows.page.layout.referenceSlots {
        for index in 0..<rows.page.count where rows.isChanged(index, slot: slot) {
          body(rows.page, index, slot)
        }
      }
    }
  }
}

extension ChangeSet {
  /// Both ends of the links that changed.
  package var linkedKeys: [RowKey] { links.flatMap(\.ends) }

  /// The keys of the inserted rows.
  package var insertedKeys: [RowKey] {
    inserted.flatMap { page in (0..<page.count).map(page.key) }
  }
}

extension LinkChange {
  /// The owner of the links, and every object that it was linked to, unlinked from or moved to.
  package var ends: [RowKey] { [owner] + added.map(\.other) + removed + moved.map(\.other) }
}
