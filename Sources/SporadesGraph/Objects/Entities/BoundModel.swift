// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A model, the classes its entities are bound to, and the store its ids belong to: what all
/// contexts of a stack share.
final class BoundModel: Sendable {
  let model: ManagedObjectModel
  let store: any PersistentStore
  /// The store, where it is made of several.
  let coordinator: PersistentStoreCoordinator?
  let scope: StoreScope
  /// By number of the entity, less one.
  let bindings: [EntityBinding]
  /// By number of a relationship: the same seen from the other side.
  let inverses: [RelationshipShape?]
  let derivedAttributes: [DerivedAttribute]
  /// Some of them are computed of other objects.
  let derivesAcrossObjects: Bool
  /// By number of an entity, less one: the number of its root.
  let roots: [Int]
  /// By number of a root entity, less one: the roots of all objects that a change of its tree's rows
  /// can touch, which are those and the owners of relationships into the tree.
  let touchedRoots: [[Int]]
  // What contexts begin with, one value for all: arrays are copied by the first change, and looking
  // up the type of one to make it costs a small write more than the copy. They may be shared because
  // they hold no object.
  nonisolated(unsafe) let noHomes: [ObjectHome?]
  /// See ``mapPlace(_:_:)``.
  nonisolated(unsafe) let noMaps: [ObjectMap?]
  /// By number of a root entity, less one.
  let noKeys: [Int64]
  /// The same.
  let noFaults: [FaultList]
  private let numbers: [ObjectIdentifier: Int]

  /// Binds each entity to the class that declares it or that the model names; entities left over
  /// have plain managed objects.
  init(store: any PersistentStore, classes: [ManagedObject.Type]) {
    let model = store.model
    self.store = store
    self.model = model
    coordinator = store.coordinator
    derivedAttributes = DerivedAttribute.all(of: model)
    derivesAcrossObjects = derivedAttributes.contains { !$0.steps.isEmpty }
    scope = StoreScope(identifier: store.identifier, entityNames: model.shapes.map(\.name))
    var numbers: [ObjectIdentifier: Int] = [:]
    var bindings: [EntityBinding] = []
    let all = Self.withSuperclassesAndDestinations(classes)
    for shape in model.shapes {
      let type = all.first { Self.fits($0, shape.description) } ?? ManagedObject.self
      bindings.append(EntityBinding(shape: shape, type: type))
      if type != ManagedObject.self { numbers[ObjectIdentifier(type)] = shape.number }
    }
    self.bindings = bindings
    roots = model.shapes.map(\.rootNumber)
    touchedRoots = model.shapes.map { Self.rootsTouched(by: $0.layout, model) }
    inverses = Self.inverses(of: model)
    self.numbers = numbers
    unsafe noHomes = Array(repeating: nil, count: roots.count)
    unsafe noMaps = Array(repeating: nil, count: roots.count)
    noFaults = Array(repeating: FaultList(), count: roots.count)
    noKeys = Array(repeating: 0, count: roots.count)
  }

  /// The place of the map for the key's store and the tree under a root.
  ///
  /// Each store's objects of a tree have a map of their own, because stores give the same primary
  /// keys. Maps are numbered by store, then by tree.
  @inline(__always)
  func mapPlace(_ root: Int, _ key: RowKey) -> Int {
    key.store == 0 ? root - 1 : root - 1 + key.store * roots.count
  }

  func number(of type: ManagedObject.Type) -> Int? { numbers[ObjectIdentifier(type)] }

  private static func rootsTouched(
    by layout: RowLayout, _ model: ManagedObjectModel
  ) -> [Int] {
    let owners = layout.referenceSlots.compactMap { slot in
      switch layout.slots[slot].role {
      case .toOne(let relationship): model.shape(named: relationship.destinationEntityName)
      case .owner(let entity, _): model.shape(numbered: entity)
      default: nil
      }
    }
    return Set(owners.map(\.rootNumber) + [layout.rootEntity]).sorted()
  }

  private static func inverses(of model: ManagedObjectModel) -> [RelationshipShape?] {
    let all = model.shapes.flatMap(\.relationships)
    var inverses = [RelationshipShape?](repeating: nil, count: (all.map(\.number).max() ?? -1) + 1)
    for relationship in all {
      guard let name = relationship.inverseName,
        case .relationship(let inverse)? = model.shape(numbered: relationship.destination)[name]
      else { continue }
      inverses[relationship.number] = inverse
    }
    return inverses
  }

  private static func fits(_ type: ManagedObject.Type, _ entity: EntityDescription) -> Bool {
    let declared = type.declaration
    return declared.name == entity.name || entity.managedObjectClassName == "\(type)"
  }

  private static func withSuperclassesAndDestinations(
    _ classes: [ManagedObject.Type]
  ) -> [ManagedObject.Type] {
    var all: [ManagedObject.Type] = []
    var open = classes
    while let type = open.popLast() {
      guard type != ManagedObject.self, !all.contains(where: { $0 == type }) else { continue }
      all.append(type)
      let declaration = type.declaration
      open += declaration.superclass.map { [$0] } ?? []
      open += declaration.properties.compactMap(\.destination)
    }
    return all
  }
}
