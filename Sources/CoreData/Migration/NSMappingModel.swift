// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel
import SporadesModelFiles

/// Says how the objects of one version of a model become objects of another.
open class NSMappingModel: NSObject {
  /// The mappings of entities, in the order in which they are carried out.
  public var entityMappings: [NSEntityMapping]!

  /// Makes a mapping model without mappings.
  public override init() { entityMappings = [] }

  /// Finds the mapping model for two versions among the files of bundles; nil names the program's own.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let source = sourceModel?.built(for: "A source model has mistakes"),
      let destination = destinationModel?.built(for: "A destination model has mistakes")
    else { return nil }
    let folders = NSManagedObjectModel.folders(of: bundles)
    // `try?`: Core Data's initializer answers nil where no mapping model can be read.
    guard
      let found = try? MappingFolders(folders).mappingModels(
        from: [source], to: [destination], resolves: false)[0, 0].first
    else { return nil }
    self.init(found)
  }

  /// Reads the file of a mapping model.
  public convenience init?(contentsOf url: URL?) {
    // `try?`: Core Data's initializer answers nil for a file that holds no mapping model.
    guard let url, let read = try? MappingModel(contentsOf: url) else { return nil }
    self.init(read)
  }

  /// Infers the mappings from two versions.
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let (source, destination) = (
      try sourceModel.managedObjectModel(), try destinationModel.managedObjectModel()
    )
    let mapping = MappingModel.inferred(from: source, to: destination)
    let problems = mapping.problems(from: source, to: destination)
    guard problems.isEmpty else {
      throw NSError.coreData(
        .inferredMapping, problems.map(\.description).joined(separator: "\n"),
        ["reason": problems.map(\.description)])
    }
    return NSMappingModel(mapping)
  }

  init(_ mapping: MappingModel) {
    entityMappings = mapping.entityMappings.map(NSEntityMapping.init)
  }

  /// The mappings of entities by their names.
  public var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The mapping model as the library has it.
  var mappingModel: MappingModel { MappingModel(entityMappings.map(\.entityMapping)) }

  /// Mapping models are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSMappingModel)?.mappingModel == mappingModel
  }
  open override var hash: Int { mappingModel.hashValue }
}

/// The work of a mapping.
public enum NSEntityMappingType: UInt, Sendable {
  /// Nothing is said.
  case undefinedEntityMappingType = 0
  /// A policy makes the objects.
  case customEntityMappingType = 1
  /// The entity is new.
  case addEntityMappingType = 2
  /// The older objects are dropped.
  case removeEntityMappingType = 3
  /// The objects stay as they are.
  case copyEntityMappingType = 4
  /// The objects get other properties.
  case transformEntityMappingType = 5
}

/// Says which objects of the older version become objects of an entity of the newer one.
open class NSEntityMapping: NSObject {
  private var value: EntityMapping
  /// The values of attributes.
  public var attributeMappings: [NSPropertyMapping]?
  /// The values of relationships.
  public var relationshipMappings: [NSPropertyMapping]?
  /// Notes for the policy.
  public var userInfo: [AnyHashable: Any]?

  /// Makes a mapping whose parts are set later.
  public override convenience init() { self.init(EntityMapping(from: nil, to: nil)) }

  init(_ mapping: EntityMapping) {
    value = mapping
    attributeMappings = mapping.attributeMappings.map(NSPropertyMapping.init)
    relationshipMappings = mapping.relationshipMappings.map(NSPropertyMapping.init)
    userInfo = mapping.userInfo
  }

  /// The name, unique in the mapping model.
  public var name: String! {
    get { value.name }
    set { value.name = newValue ?? "" }
  }
  /// The work of the mapping.
  public var mappingType: NSEntityMappingType {
    get {
      guard let type = NSEntityMappingType(rawValue: UInt(value.kind.rawValue)) else {
        trap("The mapping type \(value.kind) is none that Core Data knows.")
      }
      return type
    }
    set {
      guard let kind = EntityMapping.Kind(rawValue: Int(newValue.rawValue)) else {
        trap("The mapping type \(newValue) is none that the library knows.")
      }
      value.kind = kind
    }
  }
  /// The name of the older entity.
  public var sourceEntityName: String? {
    get { value.sourceEntityName }
    set { value.sourceEntityName = newValue }
  }
  /// The version hash of the older entity.
  public var sourceEntityVersionHash: Data? {
    get { value.sourceEntityVersionHash.map { Data($0) } }
    set { value.sourceEntityVersionHash = newValue.map { Array($0) } }
  }
  /// The name of the newer entity.
  public var destinationEntityName: String? {
    get { value.destinationEntityName }
    set { value.destinationEntityName = newValue }
  }
  /// The version hash of the newer entity.
  public var destinationEntityVersionHash: Data? {
    get { value.destinationEntityVersionHash.map { Data($0) } }
    set { value.destinationEntityVersionHash = newValue.map { Array($0) } }
  }
  /// The text of the expression that gives the older objects, a `FETCH(…)`; nil for all of the older entity. `NSExpression` has no fetches
  /// here.
  public var sourceExpressionText: String? {
    get { value.sourceExpression.map { "\($0)" } }
    set { value.sourceExpression = newValue.map { MappingExpression(stringLiteral: $0) } }
  }
  /// The name of the class of the policy.
  public var entityMigrationPolicyClassName: String? {
    get { value.entityMigrationPolicyClassName }
    set { value.entityMigrationPolicyClassName = newValue }
  }

  /// The mapping as the library has it.
  var entityMapping: EntityMapping {
    var mapping = value
    mapping.attributeMappings = (attributeMappings ?? []).map(\.propertyMapping)
    mapping.relationshipMappings = (relationshipMappings ?? []).map(\.propertyMapping)
    mapping.userInfo = texts(of: userInfo)
    return mapping
  }

  /// Mappings are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSEntityMapping)?.entityMapping == entityMapping
  }
  open override var hash: Int { entityMapping.hashValue }
}

/// Says where a property of the newer version gets its value from.
open class NSPropertyMapping: NSObject {
  private var value: PropertyMapping
  /// Notes for policies.
  public var userInfo: [AnyHashable: Any]?

  /// Makes a mapping whose parts are set later.
  public override convenience init() { self.init(PropertyMapping("", nil)) }

  init(_ mapping: PropertyMapping) {
    value = mapping
    userInfo = mapping.userInfo
  }

  /// The name of the property.
  public var name: String? {
    get { value.name }
    set { value.name = newValue ?? "" }
  }

  /// The text of the expression that gives the value.
  public var valueExpressionText: String? {
    get { value.valueExpression.map { "\($0)" } }
    set { value.valueExpression = newValue.map { MappingExpression(stringLiteral: $0) } }
  }

  /// The mapping as the library has it.
  var propertyMapping: PropertyMapping {
    var mapping = value
    mapping.userInfo = texts(of: userInfo)
    return mapping
  }

  /// Mappings are equal if they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPropertyMapping)?.propertyMapping == propertyMapping
  }
  open override var hash: Int { propertyMapping.hashValue }
}

@available(*, deprecated, message: "Foundation marks NSExpression as deprecated on Linux.")
extension NSPropertyMapping {
  /// The expression that gives the value.
  public var valueExpression: NSExpression? {
    get { valueExpressionText.map { NSExpression(format: $0) } }
    set { valueExpressionText = newValue.map { "\($0)" } }
  }
}
