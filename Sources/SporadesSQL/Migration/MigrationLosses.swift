// SPDX-License-Identifier: MIT
import SporadesModel

/// The content of an older version that a newer one has no place for.
package struct MigrationLosses {
  let succession: RowSuccession

  package struct Loss {
    package let entity: String
    package let property: String?
    /// Selects the number of values or objects.
    package let count: SQLFragment
    /// Code for rows can read it.
    package var isInRows = true
  }

  package init(_ succession: RowSuccession) { self.succession = succession }

  package var all: [Loss] {
    let old = succession.old
    return old.model.shapes.filter { old.scheme.holds($0.number) && !$0.isAbstract }
      .flatMap { shape -> [Loss] in
        guard let successor = succession.successor(of: shape.number) else {
          return [Loss(entity: shape.name, property: nil, count: count(shape, ""), isInRows: false)]
        }
        return attributes(shape, successor)
      } + LinkLosses(succession).all
  }

  private func attributes(_ shape: EntityShape, _ successor: Int) -> [Loss] {
    let (old, new) = (succession.old, succession.new)
    let after = new.model.shape(numbered: successor)
    let kept = Set(
      after.layout.slots.compactMap {
        succession.evolution.source(ofAttribute: $0.name, in: after.name)
      })
    let line = old.lineage(shape.number)
    return shape.layout.slots.enumerated().compactMap { place, slot -> Loss? in
      guard case .attribute(let attribute) = slot.role, !attribute.isDerived,
        line.contains(slot.entity), !kept.contains(slot.name)
      else { return nil }
      let column = old.layout.table(ofEntity: shape.number).columns[place].name
      return Loss(
        entity: shape.name, property: slot.name,
        count: count(shape, " AND o.\(name: column) IS NOT NULL"), isInRows: !attribute.isLarge)
    }
  }

  private func count(_ shape: EntityShape, _ condition: SQLFragment) -> SQLFragment {
    StoreContents(succession.old).count(shape, condition)
  }
}
