// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

/// An entity: the properties that objects of one kind have.
open class NSEntityDescription: NSObject, NSCopying {
  /// The model that has the entity. It ends the program for an entity that belongs to none.
  public var managedObjectModel: NSManagedObjectModel {
    guard let owner else {
      trap(
        "The entity \(requiredName) was asked for its model, and no model has it, or the model is gone. Add it to the entities of a model, and keep the model."
      )
    }
    return owner
  }
  /// The model that has the entity; nil for an entity that belongs to none.
  weak var owner: NSManagedObjectModel?
  /// The name by which code, requests and stores refer to the entity.
  public var name: String? { didSet { refuseChange() } }
  /// The name of the class of the entity's objects: `NSManagedObject`, `Note` or `App.Note`.
  public var managedObjectClassName: String! = "NSManagedObject" { didSet { refuseChange() } }
  /// No object is of this entity itself, only of its subentities.
  public var isAbstract = false { didSet { refuseChange() } }
  /// Notes of the model's author.
  public var userInfo: [AnyHashable: Any]? = [:]
  /// A text that changes the version hash where nothing else changed.
  public var versionHashModifier: String? { didSet { refuseChange() } }
  /// The name of the entity in the former version of the model.
  public var renamingIdentifier: String? {
    get { formerName ?? name }
    set {
      refuseChange()
      formerName = newValue
    }
  }
  /// The indexes that a store keeps for the entity's rows.
  public var indexes: [NSFetchIndexDescription] = [] {
    didSet {
      refuseChange()
      for index in indexes { index.entity = self }
    }
  }
  /// Groups of attributes, by names or descriptions. No two objects have the same values in all attributes of a group.
  public var uniquenessConstraints: [[Any]] = [] { didSet { refuseChange() } }
  /// The entity that this one inherits from.
  public private(set) weak var superentity: NSEntityDescription?

  /// The groups of properties of ``compoundIndexes``.
  var ownCompounds: [[Any]] = [] { didSet { refuseChange() } }
  /// The expression of ``coreSpotlightDisplayNameExpression``.
  var spotlightName: NSObject?
  private var formerName: String?
  private var ownProperties: [NSPropertyDescription] = []
  private var ownSubentities: [NSEntityDescription] = []

  // MARK: - Hierarchy

  /// The entities that inherit from this one directly.
  public var subentities: [NSEntityDescription] {
    get { ownSubentities }
    set {
      refuseChange()
      for entity in ownSubentities { entity.superentity = nil }
      ownSubentities = newValue
      for entity in newValue { entity.superentity = self }
    }
  }

  /// The entities that inherit from this one directly, by their names.
  public var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(ownSubentities.map { ($0.requiredName, $0) }) { first, _ in first }
  }

  /// Whether the entity is the other one, or inherits from it.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    sequence(first: self) { $0.superentity }.contains { $0 === entity || $0 == entity }
  }

  // MARK: - Properties

  /// All properties, inherited ones included. Setting them sets the entity's own.
  public var properties: [NSPropertyDescription] {
    get { (superentity?.properties ?? []) + ownProperties }
    set {
      refuseChange()
      let inherited = superentity?.properties ?? []
      ownProperties = newValue.filter { property in !inherited.contains { $0 === property } }
      for property in ownProperties { property.owner = self }
    }
  }

  /// The properties by their names.
  public var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }) { _, last in last }
  }

  /// The attributes by their names.
  public var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The relationships by their names.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// The relationships that lead to an entity.
  public func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    properties.compactMap { $0 as? NSRelationshipDescription }
      .filter { $0.destinationEntity.map { $0 === entity } ?? false }
  }

  /// The hash of all parts of the entity that a store keeps.
  public var versionHash: Data {
    guard let model = owner, let hash = model.entityVersionHashesByName[requiredName]
    else {
      trap("The entity \(requiredName) belongs to no model, and only models have version hashes.")
    }
    return hash
  }

  // MARK: - Values

  var requiredName: String {
    guard let name, !name.isEmpty else {
      trap("An NSEntityDescription has no name. Set `name` before the model is used.")
    }
    return name
  }

  var own: [NSPropertyDescription] { ownProperties }

  func refuseChange() { owner?.refuseChange() }

  /// The entity as the library has it.
  func described() throws -> EntityDescription {
    var entity = EntityDescription(
      requiredName, superentityName: superentity?.requiredName, isAbstract: isAbstract,
      uniquenessConstraints: uniquenessConstraints.filter { !$0.isEmpty }
        .map { $0.map(Self.partName) })
    entity.managedObjectClassName = managedObjectClassName
    entity.renamingIdentifier = formerName
    entity.versionHashModifier = versionHashModifier
    entity.userInfo = texts(of: userInfo)
    for property in ownProperties { try property.add(to: &entity) }
    entity.indexes += try indexes.map { try $0.described() }
    for names in ownCompounds.map({ $0.map(Self.partName) }) {
      entity.indexes.append(
        FetchIndexDescription(names.joined(separator: "_"), names.map { .init($0) }))
    }
    return entity
  }

  private static func partName(_ part: Any) -> String {
    switch part {
    case let name as String: return name
    case let property as NSPropertyDescription: return property.name
    default:
      trap(
        "A uniqueness constraint or a compound index names \(part) of the type \(type(of: part)). Name attributes, or list their descriptions."
      )
    }
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSEntityDescription()
    copy.name = name
    copy.managedObjectClassName = managedObjectClassName
    copy.isAbstract = isAbstract
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.formerName = formerName
    copy.properties = ownProperties.map { $0.duplicate() }
    copy.indexes = indexes.map { $0.duplicate() }
    copy.uniquenessConstraints = uniquenessConstraints
    copy.ownCompounds = ownCompounds
    copy.spotlightName = spotlightName
    return copy
  }

  /// Entities are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSEntityDescription else { return false }
    if other === self { return true }
    guard other.name == name else { return false }
    // `try?`: an entity with mistakes equals itself alone.
    guard let own = try? described(), let theirs = try? other.described() else { return false }
    return own == theirs
  }

  open override var hash: Int { name.hashValue }

  open override var description: String { "entity \(name ?? "without a name")" }
}

/// The texts among the notes of a model's author; the library keeps no others.
func texts(of notes: [AnyHashable: Any]?) -> [String: String] {
  var texts: [String: String] = [:]
  for case (let key as String, let value) in notes ?? [:] { texts[key] = "\(value)" }
  return texts
}
