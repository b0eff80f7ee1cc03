// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// The parts that a file of Core Data maintains by itself: derived attributes and R-trees.
extension CoreDataLayout {
  package func upkeep(_ dialect: any SQLDialect) -> [SQLStatement] {
    let derived = derivations(in: layout, dialect).flatMap(\.triggers).map(\.creation)
    let areas = areas(in: layout, dialect).map(\.1).flatMap { area in
      [area.creation] + area.triggers.map(\.creation)
    }
    return (derived + areas).map { $0.rendered(in: dialect) }
  }

  /// The parts that a database maintains by itself, with the names of one layout.
  package struct Upkeep: Hashable, Sendable {
    /// The triggers by their names, each with its creation.
    package var triggers: [String: SQLStatement] = [:]
    /// The R-trees by their names.
    package var trees: [String: Tree] = [:]

    package init() {}

    package struct Tree: Hashable, Sendable {
      package let table: String
      package let creation: SQLStatement
      /// Fills an empty tree.
      package let filling: SQLStatement
    }
  }

  package func upkeep(in layout: StoreLayout, _ dialect: any SQLDialect) -> Upkeep {
    var upkeep = Upkeep()
    let areas = areas(in: layout, dialect)
    let triggers =
      derivations(in: layout, dialect).flatMap(\.triggers) + areas.flatMap(\.1.triggers)
    for trigger in triggers {
      upkeep.triggers[trigger.name] = trigger.creation.rendered(in: dialect)
    }
    for (shape, area) in areas {
      upkeep.trees[shape.tree] = .init(
        table: layout.table(ofEntity: shape.rootEntity).name,
        creation: area.creation.rendered(in: dialect), filling: area.filling.rendered(in: dialect))
    }
    return upkeep
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

  /// The derived attributes with triggers. The underscores in a trigger's name also stand in names of entities and
  /// attributes, so that two attributes can ask for one name: `b_c` of `A` and `c` of `A_b`. The second then has
  /// none, as other derived attributes have none, and each save computes it.
  private func derivations(
    in layout: StoreLayout, _ dialect: any SQLDialect
  ) -> [CoreDataDerivation] {
    var taken: Set<String> = []
    return candidates(in: layout, dialect).filter { derivation in
      let names = derivation.triggers.map { $0.name.lowercased() }
      guard taken.isDisjoint(with: names) else { return false }
      taken.formUnion(names)
      return true
    }
  }

  private func candidates(
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

  /// The R-trees of a model. Real files show them over real numbers of a root entity, and over all its rows. Of two
  /// with one name only the first is made.
  private func areas(
    in layout: StoreLayout, _ dialect: any SQLDialect
  ) -> [(StoreLayout.Area, CoreDataArea)] {
    var taken: Set<String> = []
    return model.shapes.filter { holds($0.number) && $0.superNumber == 0 }.flatMap { shape in
      shape.description.indexes.compactMap { index in
        let table = layout.table(ofEntity: shape.number)
        guard index.partialIndexPredicate == nil,
          let slots = slots(of: index, shape),
          slots.allSatisfy({ table.columns[$0].type == .float }),
          taken.insert(indexName(index.name, of: shape.name).lowercased()).inserted
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
