// SPDX-License-Identifier: MIT
import SporadesModel

/// A model, the classes its entities are bound to, and the store its ids belong to: what all
/// contexts of a stack share.
final class BoundModel: Sendable {
  let model: ManagedObjectModel
  let scope: StoreScope
  /// By number of the entity, less one.
  let bindings: [EntityBinding]
  /// By number of a relationship: the same seen from the other side.
  let inverses: [RelationshipShape?]
  let derivedAttributes: [DerivedAttribute]
  private let numbers: [ObjectIdentifier: Int]

  /// Binds each entity to the class that declares it or that the model names; entities left over
  /// have plain managed objects.
  init(model: ManagedObjectModel, classes: [ManagedObject.Type], storeIdentifier: String) {
    self.model = model
    derivedAttributes = DerivedAttribute.all(of: model)
    scope = StoreScope(identifier: storeIdentifier, entityNames: model.shapes.map(\.name))
    var numbers: [ObjectIdentifier: Int] = [:]
    var bindings: [EntityBinding] = []
    let all = Self.withSuperclassesAndDestinations(classes)
    for shape in model.shapes {
      let type = all.first { Self.fits($0, shape.description) } ?? ManagedObject.self
      bindings.append(EntityBinding(shape: shape, type: type))
      if type != ManagedObject.self { numbers[ObjectIdentifier(type)] = shape.number }
    }
    self.bindings = bindings
    inverses = Self.inverses(of: model)
    self.numbers = numbers
  }

  func number(of type: ManagedObject.Type) -> Int? { numbers[ObjectIdentifier(type)] }

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
