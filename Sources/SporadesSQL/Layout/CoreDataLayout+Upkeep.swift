// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// What a file of Core Data maintains by itself: derived attributes and R-trees.
extension CoreDataLayout {
  package func upkeep(_ dialect: any SQLDialect) -> [SQLStatement] {
    let derived = derivations(in: layout, dialect).flatMap(\.triggers).map(\.creation)
    let areas = areas(in: layout, dialect).map(\.1).flatMap { area in
      [area.creation] + area.triggers.map(\.creation)
    }
    return (derived + areas).map { $0.rendered(in: dialect) }
  }

  /// Adds to a layout what its file maintains with exactly the triggers of a new file.
  func addUpkeep(
    to layout: inout StoreLayout, _ catalog: some StoreCatalog, _ dialect: any SQLDialect
  ) throws(StoreError) {
    let derivations = derivations(in: layout, dialect)
    let areas = areas(in: layout, dialect)
    guard !derivations.isEmpty || !areas.isEmpty else { return }
    let triggers = try catalog.triggers()
    layout.derivations = derivations.filter { derivation in
      derivation.triggers.allSatisfy { $0.isAmong(triggers, dialect) }
    }.map(\.upkeep)
    for (shape, area) in areas
    where area.triggers.allSatisfy({ $0.isAmong(triggers, dialect) }) {
      guard try catalog.columns(of: shape.tree) == area.names else { continue }
      layout.areas.append(shape)
    }
  }

  private func derivations(
    in layout: StoreLayout, _ dialect: any SQLDialect
  ) -> [CoreDataDerivation] {
    model.shapes.filter { holds($0.number) }.flatMap { shape in
      shape.attributes.compactMap { attribute in
        guard attribute.description.isDerived,
          let derivation = CoreDataDerivation(attribute, of: shape, model, layout, dialect),
          // A table of another store has no triggers in this one.
          holds(derivation.destination)
        else { return nil }
        return derivation
      }
    }
  }

  /// The R-trees of a model. Real files show them over real numbers of a root entity, and over all its rows.
  private func areas(
    in layout: StoreLayout, _ dialect: any SQLDialect
  ) -> [(StoreLayout.Area, CoreDataArea)] {
    model.shapes.filter { holds($0.number) && $0.superNumber == 0 }.flatMap { shape in
      shape.description.indexes.compactMap { index in
        let table = layout.table(ofEntity: shape.number)
        guard index.partialIndexPredicate == nil,
          let slots = slots(of: index, shape),
          slots.allSatisfy({ table.columns[$0].type == .float })
        else { return nil }
        let tree = indexName(index.name, of: shape.name)
        let area = CoreDataArea(
          tree, over: slots.map { table.columns[$0].name }, of: table.name, dialect)
        let bounds = zip(index.elements.map(\.property), area.bounds)
        return (
          StoreLayout.Area(
            tree: tree, rootEntity: shape.number, index: index.name,
            bounds: Dictionary(uniqueKeysWithValues: bounds)), area
        )
      }
    }
  }

  /// The slots of an index if all its elements belong into an R-tree, which has one to five dimensions.
  private func slots(of index: FetchIndexDescription, _ shape: EntityShape) -> [Int]? {
    let slots = index.elements.compactMap { element -> Int? in
      guard element.collation == .rTree, case .attribute(let attribute)? = shape[element.property]
      else { return nil }
      return attribute.slot
    }
    let isArea = slots.count == index.elements.count && 1...5 ~= slots.count
    return isArea && Set(slots).count == slots.count ? slots : nil
  }
}
