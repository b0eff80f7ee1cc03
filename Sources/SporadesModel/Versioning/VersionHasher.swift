// SPDX-License-Identifier: MIT

/// Computes the version hashes of a model's entities.
///
/// The hashes equal Core Data's, so that a model recognises a store that Core Data wrote.
///
/// Rules, where *H* is SHA-256, numbers are little endian and texts are UTF-8:
/// 1. A property is *H*(name, optional, transient, modifier).
/// 2. An attribute is *H*(1, type, `01` if it allows external storage, `01` if the history keeps it).
/// 3. A relationship is *H*(1, destination, inverse, largest count, smallest count, `01 00` if ordered).
///    A relationship that is its own inverse leaves the inverse out.
/// 4. A derived attribute is *H*(its expression).
/// 5. A composite is *H*(its elements by name).
/// 6. An entity is *H*(name, abstract, its superentity, all stored properties by name, inherited
///    ones included, modifier, sorted uniqueness constraints).
struct VersionHasher {
  private let lookup: ModelLookup
  private(set) var hashes: [String: [UInt8]] = [:]

  init(_ entities: [EntityDescription]) {
    lookup = ModelLookup(entities)
    for entity in entities { _ = hash(of: entity) }
  }

  /// The hash of an attribute or a relationship of an entity, which may inherit it; nil if there is no such property.
  static func hash(
    ofProperty name: String, of entity: EntityDescription, in entities: [EntityDescription]
  ) -> [UInt8]? {
    let hasher = VersionHasher(lookup: ModelLookup(entities))
    if let attribute = hasher.lookup.attribute(name, of: entity) {
      return hasher.hash(of: attribute)
    }
    return hasher.lookup.relationship(name, of: entity).map {
      hasher.hash(of: $0.relationship, $0.entity)
    }
  }

  private init(lookup: ModelLookup) { self.lookup = lookup }

  private mutating func hash(of entity: EntityDescription) -> [UInt8] {
    if let known = hashes[entity.name] { return known }
    var bytes = Array(entity.name.utf8)
    bytes.append(entity.isAbstract ? 1 : 0)
    if let above = entity.superentityName.flatMap(lookup.entity) { bytes += hash(of: above) }
    for (_, hash) in propertyHashes(of: entity).inByteOrder(of: { $0.name }) {
      bytes += hash
    }
    bytes += entity.versionHashModifier?.utf8.map(\.self) ?? []
    let constraints = (entity.uniquenessConstraints + entity.unenforcedConstraints).map {
      $0.joined(separator: ".")
    }
    for constraint in constraints.inByteOrder() { bytes += constraint.utf8 }
    let hash = SHA2.sha256(bytes)
    hashes[entity.name] = hash
    return hash
  }

  private func propertyHashes(of entity: EntityDescription) -> [(name: String, hash: [UInt8])] {
    lookup.lineage(entity).flatMap { owner in
      owner.attributes.filter { !$0.isTransient }.map { ($0.name, hash(of: $0)) }
        + owner.relationships.filter { !$0.isTransient }.map { ($0.name, hash(of: $0, owner)) }
    }
  }

  /// The hash of an attribute, as it is part of its entity's hash.
  func hash(of attribute: AttributeDescription) -> [UInt8] {
    if let expression = attribute.derivationExpression {
      return SHA2.sha256(Array((Derivation(expression)?.text ?? expression).utf8))
    }
    if attribute.type == .composite {
      let elements = attribute.elements.inByteOrder { $0.name }
      return SHA2.sha256(elements.flatMap(hash))
    }
    var bytes = hashOfProperty(
      attribute.name, attribute.isOptional, attribute.isTransient, attribute.versionHashModifier)
    bytes += littleEndian(Int(attribute.type.rawValue))
    if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
    return SHA2.sha256(bytes)
  }

  /// The hash of a relationship, as it is part of its entity's hash.
  func hash(of relationship: RelationshipDescription, _ owner: EntityDescription) -> [UInt8] {
    var bytes = hashOfProperty(
      relationship.name, relationship.isOptional, relationship.isTransient,
      relationship.versionHashModifier)
    bytes += relationship.destinationEntityName.utf8
    if !isOwnInverse(relationship, owner) {
      bytes += (relationship.inverseName ?? relationship.unansweredInverseName ?? "").utf8
    }
    bytes += littleEndian(relationship.maxCount) + littleEndian(relationship.minCount)
    if relationship.isOrdered { bytes += [1, 0] }
    return SHA2.sha256(bytes)
  }

  private func isOwnInverse(
    _ relationship: RelationshipDescription, _ owner: EntityDescription
  ) -> Bool {
    guard relationship.inverseName == relationship.name,
      let destination = lookup.entity(relationship.destinationEntityName)
    else { return false }
    return lookup.relationship(relationship.name, of: destination)?.entity.name == owner.name
  }

  private func hashOfProperty(
    _ name: String, _ isOptional: Bool, _ isTransient: Bool, _ modifier: String?
  ) -> [UInt8] {
    SHA2.sha256(
      Array(name.utf8) + [isOptional ? 1 : 0, isTransient ? 1 : 0] + Array((modifier ?? "").utf8))
  }

  private func littleEndian(_ number: Int) -> [UInt8] {
    let bits = UInt32(truncatingIfNeeded: number)
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bits >> $0) }
  }
}
