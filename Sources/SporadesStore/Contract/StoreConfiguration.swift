// SPDX-License-Identifier: MIT
package import SporadesModel

/// The entities of a model that a store holds.
package struct StoreConfiguration: Sendable {
  /// The name of the configuration; nil if the store holds all entities.
  package let name: String?
  /// The numbers of the entities; nil means all entities.
  package let entities: Set<Int>?

  /// Finds a configuration. It refuses one that the model does not have, and one that divides an inheritance
  /// tree, whose rows lie in one table.
  package init(_ name: String?, of model: ManagedObjectModel) throws(StoreError) {
    guard let name, name != ManagedObjectModel.defaultConfigurationName else {
      self.name = nil
      entities = nil
      return
    }
    guard let members = model.entities(inConfiguration: name) else {
      throw StoreError(
        .unsupported, "The model has no configuration \(name); correct the name or add it.")
    }
    let names = Set(members.map(\.name))
    let numbers = Set(model.shapes.filter { names.contains($0.name) }.map(\.number))
    for shape in model.shapes {
      let root = model.shape(numbered: shape.rootNumber)
      if numbers.contains(shape.number) != numbers.contains(root.number) {
        throw StoreError(
          .unsupported,
          "The configuration \(name) holds only one of \(shape.name) and \(root.name), which belong to "
            + "the same inheritance tree; add the other.")
      }
    }
    self.name = name
    entities = numbers
  }

  package func holds(_ entity: Int) -> Bool { entities?.contains(entity) ?? true }

  /// Refuses changes of rows that the store does not hold.
  package func check(_ changes: ChangeSet, _ model: ManagedObjectModel) throws(StoreError) {
    guard let entities else { return }
    let roots = (changes.inserted + changes.updated.map(\.page)).map(\.layout.rootEntity)
    guard
      let other = (roots + changes.deleted.map(\.key.entity)).first(where: {
        !entities.contains($0)
      })
    else { return }
    throw foreign(model.shape(numbered: other))
  }

  package func foreign(_ shape: EntityShape) -> StoreError {
    StoreError(
      .noStore,
      "The store holds the configuration \(name ?? ""), which does not contain \(shape.name).")
  }
}
