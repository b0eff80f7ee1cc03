// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// The relationships that a predicate, an order and sections lead through.
///
/// Rules:
/// 1. If an object at the end of to-one steps changes, the inverses of the steps lead to the fetched objects
///    that may have come, gone or moved.
/// 2. Where a step is to-many or has no inverse, and where the object was deleted, nothing leads back.
///    The results must then be fetched again.
struct RelatedPaths {
  private let chains: [[RelationshipShape]]
  private let model: ManagedObjectModel

  init(_ paths: [[String]], from entity: EntityShape, _ model: ManagedObjectModel) {
    self.model = model
    var chains: [[RelationshipShape]] = []
    for path in Set(paths) {
      var shape = entity
      var chain: [RelationshipShape] = []
      for name in path {
        guard case .relationship(let relationship)? = shape[name] else { break }
        chain.append(relationship)
        shape = model.shape(numbered: relationship.destination)
      }
      if !chain.isEmpty { chains.append(chain) }
    }
    self.chains = chains
  }

  var isEmpty: Bool { chains.isEmpty }

  /// A chain leads over links that lie in no row.
  var readsJoins: Bool {
    chains.joined().contains { if case .join = $0.storage { true } else { false } }
  }

  /// A chain leads to objects of the entity.
  func reaches(_ entity: Int) -> Bool {
    chains.joined().contains { $0.destinationFamily.contains(entity) }
  }

  /// The fetched objects that a change of the object may concern; nil if nothing leads back to them.
  func owners(of object: ManagedObject) -> Set<ManagedObject>? {
    var owners: Set<ManagedObject> = []
    for chain in chains {
      for (place, step) in chain.enumerated()
      where step.destinationFamily.contains(object.entityNumber) {
        guard object.isPresent, let found = origins(of: object, chain[...place]) else { return nil }
        owners.formUnion(found)
      }
    }
    return owners
  }

  /// Follows the steps back from the object at their end.
  private func origins(
    of object: ManagedObject, _ steps: ArraySlice<RelationshipShape>
  ) -> Set<ManagedObject>? {
    var objects: Set<ManagedObject> = [object]
    for step in steps.reversed() {
      guard !step.isToMany, step.isStored, !step.hasTransientInverse, let name = step.inverseName,
        case .relationship(let inverse)? = model.shape(numbered: step.destination)[name]
      else { return nil }
      objects = Set(objects.flatMap { $0.related(by: inverse) })
    }
    return objects
  }
}
