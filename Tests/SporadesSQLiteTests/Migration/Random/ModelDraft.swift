// SPDX-License-Identifier: MIT
import SporadesModel

/// A model between two versions. Each entity and property remembers what it was in the last version, in its user
/// information, and gets its renaming identifier of it.
struct ModelDraft {
  private(set) var entities: [EntityDescription]
  /// The number of the last new name. No name is used twice.
  private var lastNumber = 0

  private static let origin = "origin"

  init(_ entities: [EntityDescription]) {
    self.entities = entities
    seal()
  }

  mutating func newName(_ prefix: String) -> String {
    lastNumber += 1
    return "\(prefix)\(lastNumber)"
  }

  /// Gives an entity another hash.
  mutating func setHashModifier() {
    let name = newName("v")
    entities[0].versionHashModifier = name
  }

  // MARK: - Entities

  subscript(name: String) -> EntityDescription {
    get {
      guard let entity = entities.first(where: { $0.name == name }) else {
        preconditionFailure("The draft has no entity \(name).")
      }
      return entity
    }
    set {
      guard let index = entities.firstIndex(where: { $0.name == name }) else {
        return entities.append(newValue)
      }
      entities[index] = newValue
    }
  }

  var names: [String] { entities.map(\.name).sorted() }
  var roots: [String] { entities.filter { $0.superentityName == nil }.map(\.name).sorted() }
  var concrete: [String] { entities.filter { !$0.isAbstract }.map(\.name).sorted() }
  var leaves: [String] {
    let parents = Set(entities.compactMap(\.superentityName))
    return names.filter { !parents.contains($0) }
  }

  /// The entity and all above it.
  func lineage(_ name: String) -> [EntityDescription] {
    var line = [self[name]]
    while let parent = line[line.count - 1].superentityName { line.append(self[parent]) }
    return line
  }

  /// The entity and all below it.
  func family(_ name: String) -> Set<String> {
    Set(names.filter { lineage($0).contains { $0.name == name } })
  }

  mutating func add(_ entity: EntityDescription) { entities.append(entity) }

  mutating func remove(_ name: String) { entities.removeAll { $0.name == name } }

  mutating func rename(_ name: String, to new: String) {
    for index in entities.indices {
      if entities[index].name == name { entities[index].name = new }
      if entities[index].superentityName == name { entities[index].superentityName = new }
      for place in entities[index].relationships.indices
      where entities[index].relationships[place].destinationEntityName == name {
        entities[index].relationships[place].destinationEntityName = new
      }
    }
  }

  // MARK: - Properties

  /// A property and the entity that declares it.
  struct Place: Hashable, Comparable, CustomStringConvertible {
    let entity: String
    let name: String

    var description: String { "\(entity).\(name)" }

    static func < (left: Place, right: Place) -> Bool { left.description < right.description }
  }

  /// All attributes but the serial numbers and those that are computed.
  var attributes: [Place] {
    entities.flatMap { entity in
      entity.attributes.filter { $0.name != "serial" && !$0.isDerived }
        .map { Place(entity: entity.name, name: $0.name) }
    }.sorted()
  }

  var relationships: [Place] {
    entities.flatMap { entity in
      entity.relationships.map { Place(entity: entity.name, name: $0.name) }
    }.sorted()
  }

  subscript(attribute place: Place) -> AttributeDescription {
    get {
      guard let found = self[place.entity].attributes.first(where: { $0.name == place.name }) else {
        preconditionFailure("The draft has no attribute \(place).")
      }
      return found
    }
    set {
      guard let index = self[place.entity].attributes.firstIndex(where: { $0.name == place.name })
      else { return self[place.entity].attributes.append(newValue) }
      self[place.entity].attributes[index] = newValue
    }
  }

  subscript(relationship place: Place) -> RelationshipDescription {
    get {
      guard let found = self[place.entity].relationships.first(where: { $0.name == place.name })
      else { preconditionFailure("The draft has no relationship \(place).") }
      return found
    }
    set {
      guard
        let index = self[place.entity].relationships.firstIndex(where: { $0.name == place.name })
      else { return self[place.entity].relationships.append(newValue) }
      self[place.entity].relationships[index] = newValue
    }
  }

  /// The other side of a relationship; nil if it has none.
  func inverse(of place: Place) -> Place? {
    let relationship = self[relationship: place]
    guard let name = relationship.inverseName else { return nil }
    let line = lineage(relationship.destinationEntityName)
    return line.first { $0.relationships.contains { $0.name == name } }
      .map { Place(entity: $0.name, name: name) }
  }

  /// The name or path of an attribute in the last version; nil if it is new.
  func origin(of place: Place) -> String? { self[attribute: place].userInfo[Self.origin] }

  mutating func removeAttribute(_ place: Place) {
    self[place.entity].attributes.removeAll { $0.name == place.name }
    forget(attribute: place.name)
  }

  /// Removes the indexes and constraints of an attribute.
  mutating func forget(attribute name: String) {
    for index in entities.indices {
      entities[index].indexes.removeAll { $0.elements.contains { $0.property == name } }
      entities[index].uniquenessConstraints.removeAll { $0.contains(name) }
    }
  }

  /// Removes the attributes that count the members of a relationship. Returns their names.
  mutating func forget(relationship name: String) -> [String] {
    var gone: [String] = []
    for index in entities.indices {
      gone += entities[index].attributes.filter { $0.derivationExpression == "\(name).@count" }
        .map(\.name)
      entities[index].attributes.removeAll { $0.derivationExpression == "\(name).@count" }
    }
    return gone
  }

  mutating func renameUses(_ old: String, to new: String) {
    for index in entities.indices {
      for place in entities[index].indexes.indices {
        for element in entities[index].indexes[place].elements.indices
        where entities[index].indexes[place].elements[element].property == old {
          entities[index].indexes[place].elements[element].property = new
        }
      }
      entities[index].uniquenessConstraints = entities[index].uniquenessConstraints.map {
        $0.map { $0 == old ? new : $0 }
      }
      for place in entities[index].attributes.indices
      where entities[index].attributes[place].derivationExpression == "\(old).@count" {
        entities[index].attributes[place].derivationExpression = "\(new).@count"
      }
    }
  }

  // MARK: - Versions

  /// The model, in which each part names what it was in the last version.
  func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        entity.renamingIdentifier = Self.identifier(entity.userInfo[Self.origin], entity.name)
        entity.userInfo = [:]
        entity.attributes = entity.attributes.map(Self.named)
        entity.relationships = entity.relationships.map { relationship in
          var relationship = relationship
          relationship.renamingIdentifier = Self.identifier(
            relationship.userInfo[Self.origin], relationship.name)
          relationship.userInfo = [:]
          return relationship
        }
        return entity
      })
  }

  private static func identifier(_ origin: String?, _ name: String) -> String? {
    origin == name ? nil : origin
  }

  private static func named(_ attribute: AttributeDescription) -> AttributeDescription {
    var attribute = attribute
    let former = attribute.userInfo[origin]
    attribute.renamingIdentifier = identifier(former, attribute.name)
    attribute.userInfo = [:]
    attribute.elements = attribute.elements.map { element in
      var element = element
      let path = element.userInfo[origin]
      // A member of the same composite is found by its own name, and any other one by its path.
      let inside = former.flatMap { former in
        path.flatMap { $0.hasPrefix(former + ".") ? String($0.dropFirst(former.count + 1)) : nil }
      }
      element.renamingIdentifier = inside.map { identifier($0, element.name) } ?? path
      element.userInfo = [:]
      return element
    }
    return attribute
  }

  /// Makes the draft the last version.
  mutating func seal() {
    for index in entities.indices {
      entities[index].userInfo[Self.origin] = entities[index].name
      for place in entities[index].attributes.indices {
        let name = entities[index].attributes[place].name
        entities[index].attributes[place].userInfo[Self.origin] = name
        for element in entities[index].attributes[place].elements.indices {
          let path = "\(name).\(entities[index].attributes[place].elements[element].name)"
          entities[index].attributes[place].elements[element].userInfo[Self.origin] = path
        }
      }
      for place in entities[index].relationships.indices {
        let name = entities[index].relationships[place].name
        entities[index].relationships[place].userInfo[Self.origin] = name
      }
    }
  }
}
