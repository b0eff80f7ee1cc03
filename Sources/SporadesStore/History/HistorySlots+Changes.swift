// SPDX-License-Identifier: MIT
package import SporadesModel

// Which slots a change set changes.
extension HistorySlots {
  /// The places of the slots that an updated row changes.
  package func places(of rows: UpdatedRows, _ index: Int, _ links: HistoryLinks) -> [Int] {
    slots.indices.filter { isChanged(slots[$0], rows, index, links) }
  }

  /// The places of the slots that change where links of an object alone change.
  package func places(of row: RowKey, _ links: HistoryLinks) -> [Int] {
    slots.indices.filter { isChanged(slots[$0], row, links) }
  }

  private func isChanged(
    _ slot: Slot, _ rows: UpdatedRows, _ index: Int, _ links: HistoryLinks
  ) -> Bool {
    switch slot {
    case .toOne(_, let slot), .attribute(_, let slot), .position(_, let slot):
      rows.isChanged(index, slot: slot)
    case .entity(_, let slot):
      rows.isChanged(index, slot: slot)
        && rows.page.reference(index, slot: slot)?.entity
          != links.former(rows.page.key(index), slot)?.entity
    case .toMany: isChanged(slot, rows.page.key(index), links)
    }
  }

  private func isChanged(_ slot: Slot, _ row: RowKey, _ links: HistoryLinks) -> Bool {
    guard case .toMany(let relationship) = slot else { return false }
    return links.changed[row]?.contains(relationship.number) ?? false
  }
}

extension EntityShape {
  /// The attributes whose values a change keeps when it deletes an object, in the order of their columns.
  package var keptInHistory: [AttributeShape] {
    attributes.filter { $0.description.preservesValueInHistoryOnDeletion && $0.slot != nil }
      .inOrder { $0.name }
  }
}

/// The program that writes a history.
package enum HistoryProgram {
  /// The name of the process: the last part of its path.
  package static let process =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
}
