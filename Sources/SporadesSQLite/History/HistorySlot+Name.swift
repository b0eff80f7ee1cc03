// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
package import SporadesStore

extension HistorySlots.Slot {
  /// The name of the property or of an extra column: `owner`, `Zn_OWNER`, or the column of places.
  package var name: String {
    switch self {
    case .toOne(let relationship, _), .toMany(let relationship): relationship.name
    case .entity(let relationship, _): "Zn_\(relationship.name.uppercased())"
    case .position(let relationship, _): CoreDataLayout.positionColumn(of: relationship.name)
    case .attribute(let attribute, _): attribute.name
    }
  }
}
