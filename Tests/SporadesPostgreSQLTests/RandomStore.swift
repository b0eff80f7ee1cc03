// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting

/// A random model with every kind of attribute and relationship, and rows and links for it.
struct RandomStore {
  let model: ManagedObjectModel
  private var random: SeededGenerator
  /// The rows of each entity, by its number.
  private var keys: [Int: [RowKey]] = [:]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var draft = Draft()
    for number in 0..<Int.random(in: 4...6, using: &random) { draft.addTree(number, &random) }
    for number in 0..<14 { draft.addRelationship(number, &random) }
    do { model = try ManagedObjectModel(entities: draft.entities) } catch {
      preconditionFailure("The random model is not valid: \(error)")
    }
    self.random = random
  }

  /// A model in the making.
  private struct Draft {
    var entities: [EntityDescription] = []

    private static let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .transformable, .uuid, .uri,
    ]

    mutating func addTree(_ number: Int, _ random: inout SeededGenerator) {
      entities.append(entity("Kind\(number)", below: nil, &random))
      for part in 0..<Int.random(in: 0...2, using: &random) {
        entities.append(entity("Kind\(number)Part\(part)", below: "Kind\(number)", &random))
      }
    }

    private func entity(
      _ name: String, below parent: String?, _ random: inout SeededGenerator
    ) -> EntityDescription {
      let attributes = (0..<Int.random(in: 1...5, using: &random)).map { number in
        var attribute = AttributeDescription(
          "\(name)Value\(number)".lowercased(), Self.types.randomElement(using: &random)!,
          isOptional: true)
        attribute.allowsExternalBinaryDataStorage =
          attribute.type == .binary && Bool.random(using: &random)
        return attribute
      }
      return EntityDescription(name, attributes: attributes, superentityName: parent)
    }

    mutating func addRelationship(_ number: Int, _ random: inout SeededGenerator) {
      let first = entities.indices.randomElement(using: &random)!
      let second =
        number % 5 == 0 ? first : entities.indices.randomElement(using: &random)!
      let (one, two) = (entities[first].name, entities[second].name)
      let (there, back) = ("there\(number)", "back\(number)")
      let isOrdered = Bool.random(using: &random)
      switch number % 7 {
      case 0:
        entities[first].relationships.append(
          .toMany(there, one, inverse: there, isOrdered: isOrdered))
      case 1, 2:
        entities[first].relationships.append(.toOne(there, two, inverse: back))
        entities[second].relationships.append(
          .toMany(back, one, inverse: there, isOrdered: isOrdered))
      case 3:
        entities[first].relationships.append(.toOne(there, two, inverse: back))
        entities[second].relationships.append(.toOne(back, one, inverse: there))
      case 4: entities[first].relationships.append(.toOne(there, two))
      case 5: entities[first].relationships.append(.toMany(there, two, isOrdered: isOrdered))
      default:
        entities[first].relationships.append(
          .toMany(there, two, inverse: back, isOrdered: isOrdered))
        entities[second].relationships.append(
          .toMany(back, one, inverse: there, isOrdered: Bool.random(using: &random)))
      }
    }
  }

  // MARK: - Rows

  /// Fills an empty store in one change set, and commits it.
  mutating func fill(_ store: some PersistentStore) throws {
    for root in model.shapes where root.superNumber == 0 {
      for key in 1...Int64.random(in: 50...150, using: &random) {
        let entity = root.family.randomElement(using: &random)!
        keys[entity, default: []].append(RowKey(entity: entity, primaryKey: key * 3))
      }
    }
    let pages = model.shapes.filter { $0.superNumber == 0 }.map { page(of: $0) }
    let links = model.joins.flatMap { self.links(in: $0) }
    try store.execute(ChangeSet(inserted: pages, links: links))
    try store.commit(.immediate)
  }

  private func rows(of entity: Int) -> [RowKey] {
    model.shape(numbered: entity).family.flatMap { keys[$0] ?? [] }
  }

  private mutating func page(of root: EntityShape) -> RowPage {
    var builder = RowPageBuilder(layout: root.layout)
    for key in rows(of: root.number) {
      builder.appendRow(key, version: Int64.random(in: 1...9, using: &random))
      var isLinked: [String: Bool] = [:]
      for (slot, known) in root.layout.slots.enumerated() {
        let owner = model.shape(numbered: known.entity)
        guard owner.family.contains(key.entity), !random.once(in: 4) else { continue }
        switch known.role {
        case .attribute(let attribute): builder.set(slot, to: value(attribute.type))
        case .toOne(let relationship):
          guard let target = target(of: key, relationship) else { continue }
          builder.set(slot, to: target)
          isLinked[known.name] = true
        case .owner(let entity, _):
          guard let target = rows(of: entity).randomElement(using: &random) else { continue }
          builder.set(slot, to: target)
          isLinked[known.name] = true
        case .position:
          // One that several rows may have.
          guard isLinked[known.name] == true else { continue }
          builder.set(slot, to: Int64.random(in: 0...40, using: &random))
        }
      }
    }
    return builder.finish()
  }

  /// The row that a reference leads to. Where both sides are to-one, they are of the same number.
  private mutating func target(
    of key: RowKey, _ relationship: RelationshipDescription
  ) -> RowKey? {
    guard let destination = model.shape(named: relationship.destinationEntityName) else {
      return nil
    }
    let candidates = rows(of: destination.number)
    if let inverse = relationship.inverseName,
      case .relationship(let other)? = destination[inverse],
      !other.isToMany
    {
      return candidates.first { $0.primaryKey == key.primaryKey }
    }
    return candidates.randomElement(using: &random)
  }

  private mutating func links(in join: JoinShape) -> [LinkChange] {
    let (owners, others) = (rows(of: join.first.entity), rows(of: join.second.entity))
    return owners.compactMap { owner in
      var change = LinkChange(join: join.index, isFirst: true, owner: owner)
      for other in others where random.once(in: 25) && (!join.isReflexive || owner <= other) {
        let place = Int64.random(in: 0...1_000, using: &random)
        change.added.append(
          .init(
            other: other, position: join.first.relationship.isOrdered ? place : nil,
            ownerPosition: join.second.relationship.isOrdered ? place / 2 : nil))
      }
      return change.isEmpty ? nil : change
    }
  }

  private mutating func value(_ type: AttributeType) -> Value {
    let number = Int64.random(in: -32_768...32_767, using: &random)
    switch type {
    case .integer16, .integer32: return .integer(number)
    case .integer64: return .integer(number &* 1_000_000_007)
    case .decimal: return .decimal(Decimal(number) / 1_000)
    case .double: return .double(Double.random(in: -1e9...1e9, using: &random))
    case .float: return .double(Double(number) / 4)
    case .boolean: return .boolean(number > 0)
    case .date:
      return .date(
        Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random)))
    case .string: return .string(String(repeating: "né\t\\'", count: Int(number.magnitude % 9)))
    case .uri: return URL(string: "https://example.org/\(number)").map { .url($0) } ?? .null
    case .uuid:
      let digits = String(format: "%012llX", number.magnitude)
      return UUID(uuidString: "00000000-0000-4000-8000-\(digits)").map { .uuid($0) } ?? .null
    case .binary, .transformable:
      return .data(Data(repeating: UInt8(truncatingIfNeeded: number), count: Int(number.magnitude)))
    case .undefined, .objectID, .composite: return .null
    }
  }
}
