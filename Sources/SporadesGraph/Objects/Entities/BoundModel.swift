// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A model bound to classes and to a store. All contexts of a stack share it.
final class BoundModel: Sendable {
  let model: ManagedObjectModel
  let store: any PersistentStore
  /// The store, if it is a coordinator; else nil.
  let coordinator: (any CoordinatingStore)?
  let scope: StoreScope
  /// By number of the entity, less one.
  let bindings: [EntityBinding]
  /// The inverse of each relationship, by number of the relationship.
  let inverses: [RelationshipShape?]
  let derivedAttributes: [DerivedAttribute]
  /// Whether some derived attributes are computed from other objects.
  let derivesAcrossObjects: Bool
  /// The store that may change rows which derived values are computed from; nil if there is none.
  private let triggers: (any TriggerRunningStore)?
  /// Whether some attributes have an enum as their Swift type.
  let hasEnums: Bool
  /// The number of each entity's root, by number of the entity less one.
  let roots: [Int]
  /// The roots of the objects that a change of a tree's rows can touch, by number of the root less
  /// one: the tree itself, and the owners of relationships into it.
  let touchedRoots: [[Int]]
  // The initial arrays of a context, shared by all contexts. The first change copies an array. A
  // copy costs less than making a new array, which looks up a generic type, and that difference
  // shows in a small write. Sharing is safe, because the arrays hold no objects.
  nonisolated(unsafe) let initialHomes: [ObjectHome?]
  /// The places are those of ``mapPlace(_:_:)``.
  nonisolated(unsafe) let initialMaps: [ObjectMap?]
  /// By number of a root entity, less one.
  let zeroKeys: [Int64]
  /// By number of a root entity, less one.
  let initialFaults: [FaultList]
  /// The forms of requests that fit the model.
  let checkedFetches = CheckedFetches()
  /// By place of the class in memory, as a whole number: dictionaries with other keys need types that the runtime
  /// makes at each start.
  private let numbers: [Int: Int]

  var hasTriggers: Bool { triggers?.hasTriggers ?? false }

  /// Binds each entity to the class that declares it, or to the class that the model names. All
  /// other entities get plain managed objects.
  convenience init(
    store: any PersistentStore, classes: [ManagedObject.Type], check: any ModelCheck
  ) {
    let declared = Declarations()
    let all = Self.withSuperclassesAndDestinations(classes, declared)
    self.init(store: store, check: check, declared: declared) { shape in
      EntityClass(all.first { Self.fits($0, shape.description, declared) } ?? ManagedObject.self)
    }
  }

  /// Binds each entity to a class that somebody else chooses.
  init(
    store: any PersistentStore, check: any ModelCheck, declared: Declarations = Declarations(),
    entityClass: (EntityShape) -> EntityClass
  ) {
    let model = store.model
    self.store = store
    self.model = model
    coordinator = store.coordinator
    derivedAttributes = DerivedAttribute.all(of: model)
    derivesAcrossObjects = derivedAttributes.contains { !$0.steps.isEmpty }
    triggers = derivedAttributes.isEmpty ? nil : store as? any TriggerRunningStore
    scope = StoreScope(identifier: store.identifier, entityNames: model.shapes.map(\.name))
    var numbers: [Int: Int] = [:]
    var bindings: [EntityBinding] = []
    for shape in model.shapes {
      let chosen = entityClass(shape)
      bindings.append(EntityBinding(shape: shape, chosen, declared, check))
      if chosen.type != ManagedObject.self { numbers[Self.place(of: chosen.type)] = shape.number }
    }
    self.bindings = bindings
    hasEnums = bindings.contains { !$0.enumChecks.isEmpty }
    roots = model.shapes.map(\.rootNumber)
    touchedRoots = model.shapes.map { Self.rootsTouched(by: $0.layout, model) }
    inverses = Self.inverses(of: model)
    self.numbers = numbers
    unsafe initialHomes = Array(repeating: nil, count: roots.count)
    unsafe initialMaps = Array(repeating: nil, count: roots.count)
    initialFaults = Array(repeating: FaultList(), count: roots.count)
    zeroKeys = Array(repeating: 0, count: roots.count)
  }

  /// The index of the map for a tree and the store of a key.
  ///
  /// Each store has its own map for a tree, because two stores can assign the same primary key. The
  /// maps are ordered by store, then by tree.
  @inline(__always)
  func mapPlace(_ root: Int, _ key: RowKey) -> Int {
    key.store == 0 ? root - 1 : root - 1 + key.store * roots.count
  }

  func number(of type: ManagedObject.Type) -> Int? { numbers[Self.place(of: type)] }

  /// The error for a class that no entity is bound to.
  func unbound(_ type: ManagedObject.Type) -> ContextError {
    let name = "\(type)"
    let twin = bindings.first {
      $0.type != type && "\($0.type)" == name && $0.type != ManagedObject.self
    }
    // The full names differ in the version.
    return .unboundClass(
      twin == nil ? name : String(reflecting: type),
      instead: twin.map { String(reflecting: $0.type) })
  }

  private static func place(of type: ManagedObject.Type) -> Int {
    Int(bitPattern: ObjectIdentifier(type))
  }

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
    return Set(owners.map(\.rootNumber) + [layout.rootEntity]).inOrder()
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

  private static func fits(
    _ type: ManagedObject.Type, _ entity: EntityDescription, _ declared: Declarations
  ) -> Bool {
    declared[type].name == entity.name || entity.managedObjectClassName == "\(type)"
  }

  private static func withSuperclassesAndDestinations(
    _ classes: [ManagedObject.Type], _ declared: Declarations
  ) -> [ManagedObject.Type] {
    var all: [ManagedObject.Type] = []
    var open = classes
    while let type = open.popLast() {
      guard type != ManagedObject.self, !all.contains(where: { $0 == type }) else { continue }
      all.append(type)
      let declaration = declared[type]
      open += declaration.superclass.map { [$0] } ?? []
      open += declaration.properties.compactMap(\.destination)
    }
    return all
  }
}

extension RelationshipShape {
  /// Whether a save has to count the members.
  var hasCountToKeep: Bool {
    isStored && isToMany && (description.minCount > 0 || description.maxCount > 1)
  }

  /// The same relationship seen from the other side.
  func inverse(in home: ObjectHome) -> RelationshipShape? {
    home.onContext { $0.stack.inverses[number] } ?? nil
  }
}
