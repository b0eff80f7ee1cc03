// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel
public import SporadesModelFiles

/// A result or an argument of an expression in a mapping model.
public enum MappingValue {
  /// A value of an attribute, a constant or a result of arithmetic.
  case value(Value)
  /// The object of a to-one relationship, or `$source` itself.
  case object(ManagedObject)
  /// The objects of a to-many relationship, or the result of a search.
  case objects([ManagedObject])
  /// A request for objects of the older version.
  case request(FetchRequest)
  /// `$manager.sourceContext` or `$manager.destinationContext`.
  case context(ManagedObjectContext)
  /// `$manager`.
  case manager(MigrationManager)
  /// `$entityPolicy`.
  case policy(EntityMigrationPolicy)
  /// `$entityMapping`.
  case entityMapping(EntityMapping)
  /// `$propertyMapping`.
  case propertyMapping(PropertyMapping)

  /// No value.
  public static var null: MappingValue { .value(.null) }

  /// The objects, one or several; nil if there is something else than objects. No value stands for no objects.
  public var objects: [ManagedObject]? {
    switch self {
    case .object(let object): [object]
    case .objects(let objects): objects
    case .value(.null): []
    case .value(.list(let items)) where items.allSatisfy(\.isNull): []
    default: nil
    }
  }

  /// The value, or the ids of objects; nil for a request, a context and the like.
  public var value: Value? {
    switch self {
    case .value(let value): value
    case .object(let object): .objectID(object.objectID)
    case .objects(let objects): .list(objects.map { .objectID($0.objectID) })
    default: nil
    }
  }

  /// The words for the kind of value in an error.
  var kindName: String {
    switch self {
    case .value: "a value"
    case .object: "an object"
    case .objects: "objects"
    case .request: "a fetch request"
    case .context: "a context"
    case .manager: "the migration manager"
    case .policy: "a policy"
    case .entityMapping: "an entity mapping"
    case .propertyMapping: "a property mapping"
    }
  }
}
