// SPDX-License-Identifier: MIT
import CoreData

/// An object as a program for Core Data declares it.
final class DoorItem: NSManagedObject {
  @NSManaged var code: String?
  @NSManaged var name: String?
  @NSManaged var count: Int64
  @NSManaged var small: Int16
  @NSManaged var date: Date?

  /// The model, made in code.
  static func model() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.managedObjectClassName = NSStringFromClass(DoorItem.self)
    let types: KeyValuePairs<String, NSAttributeType> = [
      "code": .stringAttributeType, "name": .stringAttributeType,
      "count": .integer64AttributeType, "small": .integer16AttributeType,
      "date": .dateAttributeType,
    ]
    entity.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = type == .stringAttributeType || type == .dateAttributeType
      if !attribute.isOptional { attribute.defaultValue = 0 }
      return attribute
    }
    entity.uniquenessConstraints = [["code"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
