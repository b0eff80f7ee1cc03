// SPDX-License-Identifier: MIT
package import SporadesModel

/// The parts of an older version that mapping models leave behind.
///
/// Several mapping models of one migration are judged together. A mapping that begins at an entity takes its objects over, and
/// an expression that reads an attribute takes its values over.
package struct MappingLosses {
  /// An entity, or an attribute of an entity whose objects are taken over.
  package struct Part: Hashable, Sendable {
    /// The entity in the older version.
    package let entity: String
    /// The path of an attribute in the older version; nil for whole objects.
    package let property: String?
    /// The newer version lacks the part, or a mapping says that it goes.
    package let isDeclared: Bool
    /// A policy or a closure sees the part, and may put its content elsewhere.
    package let isLeftToCode: Bool
  }

  private let old: ManagedObjectModel
  private let evolution: ModelEvolution
  private let mappings: [EntityMapping]
  /// All expressions, with their parts.
  private let expressions: [MappingExpression]

  /// Judges mapping models between two versions.
  package init(
    of models: [MappingModel], from old: ManagedObjectModel, to new: ManagedObjectModel
  ) {
    self.old = old
    evolution = ModelEvolution(from: old, to: new)
    mappings = models.flatMap { $0.resolved(from: old, to: new).entityMappings }
    expressions = mappings.flatMap(\.expressions)
  }

  /// All parts that are left behind, whether the store has content of them or not.
  package var all: [Part] {
    old.shapes.filter { !$0.isAbstract }.flatMap { shape -> [Part] in
      let own = mappings.filter { takesOver($0, shape.name) }
      return own.isEmpty ? [entity(shape)] : attributes(shape, own)
    }
  }

  // MARK: - Entities

  private func takesOver(_ mapping: EntityMapping, _ entity: String) -> Bool {
    guard mapping.destinationEntityName != nil, mapping.kind != .remove else { return false }
    return mapping.sourceEntityName == entity
      || mapping.sourceExpression.map { $0.names(entity) } == true
  }

  private func entity(_ shape: EntityShape) -> Part {
    let isRemoved = mappings.contains {
      $0.sourceEntityName == shape.name && ($0.kind == .remove || $0.destinationEntityName == nil)
    }
    return Part(
      entity: shape.name, property: nil,
      isDeclared: isRemoved || evolution.successor(ofEntity: shape.name) == nil,
      isLeftToCode: mappings.contains(where: \.hasCode))
  }

  // MARK: - Attributes

  private func attributes(_ shape: EntityShape, _ own: [EntityMapping]) -> [Part] {
    let read = own.flatMap(\.expressions)
    return MappingModel.leaves(of: shape.attributes).filter { !isRead($0, by: read) }.map { path in
      Part(
        entity: shape.name, property: path,
        isDeclared: own.allSatisfy { isDeclared(path, $0) },
        isLeftToCode: own.contains(where: \.hasCode))
    }
  }

  /// Whether an expression of the entity's own mappings reads the attribute, or any expression at the end of a longer path.
  private func isRead(_ path: String, by own: [MappingExpression]) -> Bool {
    let names = path.propertyNames
    return own.contains { $0.readPath?.starts(with: names.prefix(1)) == true }
      || expressions.contains { expression in
        guard let read = expression.readPath else { return false }
        return read.count > names.count && read.suffix(names.count) == names[...]
      }
  }

  /// The newer entity lacks the attribute, or its mapping names it and gives it another value.
  private func isDeclared(_ path: String, _ mapping: EntityMapping) -> Bool {
    guard let name = mapping.destinationEntityName, let shape = evolution.new.shape(named: name)
    else { return true }
    let successors = MappingModel.leaves(of: shape.attributes).filter {
      evolution.source(ofEntity: name) == mapping.sourceEntityName
        ? evolution.source(ofAttribute: $0, in: name) == path : $0 == path
    }
    return successors.allSatisfy { mapping[attribute: $0] != nil }
  }
}

extension EntityMapping {
  /// The expressions of the mapping and all their parts.
  fileprivate var expressions: [MappingExpression] {
    let own = (attributeMappings + relationshipMappings).compactMap(\.valueExpression)
    return (own + [sourceExpression].compactMap(\.self)).flatMap(\.withParts)
  }

  /// A policy or a closure of the program works on the objects.
  fileprivate var hasCode: Bool {
    entityMigrationPolicyClassName != nil
      || expressions.contains { if case .computed = $0 { true } else { false } }
  }
}

extension MappingExpression {
  /// The names of a key path, wherever it begins.
  fileprivate var readPath: [String]? {
    if case .keyPath(_, let names) = self { names } else { nil }
  }

  fileprivate var withParts: [MappingExpression] { [self] + parts.flatMap(\.withParts) }

  /// Whether a part of the expression is the name of the entity, as in a fetch request.
  fileprivate func names(_ entity: String) -> Bool {
    withParts.contains { $0 == .constant(.string(entity)) }
  }
}
