// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
import SporadesMissingFoundation
import SporadesModel

/// The form of the result of a batch that updates.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether the batch succeeded.
  case statusOnlyResultType = 0
  /// The ids of the changed objects.
  case updatedObjectIDsResultType = 1
  /// The number of the changed objects.
  case updatedObjectsCountResultType = 2
}

/// Sets properties of many objects in the stores, past all contexts.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
  private let name: String
  private let ownEntity: NSEntityDescription?

  /// The condition that the objects satisfy.
  public var predicate: NSPredicate?
  /// The batch also changes objects of subentities.
  public var includesSubentities = true
  /// The new values, or the expressions of them, by names or descriptions of properties.
  public var propertiesToUpdate: [AnyHashable: Any]?
  /// The form of the result.
  public var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

  /// Changes objects of the entity with a name.
  public init(entityName: String) {
    name = ClassNames.entityName(entityName)
    ownEntity = nil
    super.init()
  }

  /// Changes objects of an entity.
  public init(entity: NSEntityDescription) {
    name = entity.requiredName
    ownEntity = entity
    super.init()
  }

  /// The name of the entity.
  public var entityName: String { name }
  /// The entity.
  public var entity: NSEntityDescription {
    guard let entity = ownEntity ?? LoadedEntities.entity(named: name) else {
      trap(
        "No coordinator uses a model that has the entity \(name). Load the stores first, or pass the entity."
      )
    }
    return entity
  }

  public override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

  open override var description: String { "batch that updates \(name)" }
}

extension NSBatchUpdateRequest: BatchRequest {
  func run(in context: ManagedObjectContext, as policy: NSMergePolicyType) throws -> BatchResult {
    var request = FetchRequest(name, where: try predicate?.condition)
    request.includesSubentities = includesSubentities
    request.affectedStores = affectedStores.map { Set($0.compactMap(\.identifier)) }
    let shape = context.model.shape(named: name)
    var values: [String: Any?] = [:]
    for (key, value) in propertiesToUpdate ?? [:] {
      let name = try propertyName(key)
      values[name] = try BatchValue.coded(value, name, of: shape, "\(self.name).\(name)")
    }
    let batch = BatchUpdateRequest<ManagedObject>(
      fetchRequest: request, propertiesToUpdate: values)
    return try context.execute(batch.skippingHooks())
  }

  func result(of batch: BatchResult) -> NSPersistentStoreResult {
    NSBatchUpdateResult(resultType, batch)
  }

  private func propertyName(_ key: AnyHashable) throws -> String {
    switch key.base {
    case let name as String: return name
    case let property as NSPropertyDescription: return property.name
    default:
      throw NSError.coreData(
        .general,
        "\(self) names the property \(key.base) of the type \(type(of: key.base)). Name properties, or list their descriptions."
      )
    }
  }
}

/// The result of a batch that updates.
open class NSBatchUpdateResult: NSPersistentStoreResult {
  /// A truth value, the ids of the changed objects, or their number.
  public let result: Any?
  /// The form of the result.
  public let resultType: NSBatchUpdateRequestResultType

  init(_ resultType: NSBatchUpdateRequestResultType, _ batch: BatchResult) {
    self.resultType = resultType
    result =
      switch resultType {
      case .statusOnlyResultType: NSNumber(value: true)
      case .updatedObjectIDsResultType: batch.objectIDs
      case .updatedObjectsCountResultType: NSNumber(value: batch.count)
      }
  }
}

/// The values of batches, as the library has them.
enum BatchValue {
  /// A value or an expression for the property with a name, or for a member of a composite by its path.
  static func coded(
    _ value: Any, _ name: String, of shape: EntityShape?, _ subject: @autoclosure () -> String
  ) throws -> Any? {
    if let expression = value as? any HeldExpression { return expression.fetchExpression }
    guard case .attribute(let attribute)? = shape?[name] else {
      return try ValueCoding(.undefined).value(of: value, for: subject())
    }
    return try coded(value, of: attribute, subject())
  }

  private static func coded(
    _ value: Any, of attribute: AttributeShape, _ subject: String
  ) throws -> Any? {
    guard attribute.type == .composite, let members = ValueCoding.unwrapped(value) as? [String: Any]
    else { return try ValueCoding(attribute.description).value(of: value, for: subject) }
    var all: [String: Any?] = [:]
    for element in attribute.elements {
      all[element.name] = try coded(
        members[element.name] ?? NSNull(), of: element, "\(subject).\(element.name)")
    }
    return all
  }
}
