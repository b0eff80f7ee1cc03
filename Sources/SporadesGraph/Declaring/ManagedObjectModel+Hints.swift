// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

// Declarations that a model may have, and that are mistakes in most programs.
extension ManagedObjectModel {
  private static let takenName = Hint(
    ", which the class has as well: the values of the former go to the one that names it, and the other begins anew. If they "
      + "belong to the other, remove the former name.")

  /// Hints at properties that continue a former one whose name another property of the entity has.
  func hintAtTakenNames() {
    let taken = entities.flatMap { entity in
      let former =
        entity.attributes.map { ($0.name, $0.renamingIdentifier) }
        + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
      let unnamed = Set(former.filter { $0.1 == nil }.map(\.0))
      return former.filter { $0.1.map(unnamed.contains) == true }
        .map { "\(entity.name).\($0.0) says that it was \($0.1 ?? "")" }
    }
    if !taken.isEmpty { Self.takenName.give(about: taken.joined(separator: ", ")) }
  }

  private static let divided = Hint(
    ": no configuration has the entities of both sides, and no link leads from one store to another. List both in one "
      + "configuration, or keep a value that names the object.")

  /// Hints at relationships whose sides lie in different stores, if each configuration has a store.
  func hintAtDividedRelationships() {
    guard !configurations.isEmpty else { return }
    let sets = configurations.values.map(Set.init)
    let found = entities.flatMap { entity in
      entity.relationships.filter { relationship in
        let own = sets.filter { $0.contains(entity.name) }
        let other = sets.filter { $0.contains(relationship.destinationEntityName) }
        return !own.isEmpty && !other.isEmpty
          && !own.contains { $0.contains(relationship.destinationEntityName) }
      }.map { "\(entity.name).\($0.name)" }
    }
    if !found.isEmpty { Self.divided.give(about: found.joined(separator: ", ")) }
  }
}
