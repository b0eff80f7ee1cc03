// SPDX-License-Identifier: MIT
import CoreData

/// A note with tags, as Xcode writes the class, but for its accessors.
final class Note: NSManagedObject {
  private(set) var awakenings = 0

  var title: String {
    get { _getManaged("title") }
    set { _setManaged("title", newValue) }
  }
  var text: String? {
    get { _getManagedOptional("text") }
    set { _setManagedOptional("text", newValue) }
  }
  var rank: Int16 {
    get { _getManaged("rank") }
    set { _setManaged("rank", newValue) }
  }
  var date: Date? {
    get { _getManagedOptional("date") }
    set { _setManagedOptional("date", newValue) }
  }
  var tags: NSSet? {
    get { _getManagedOptional("tags") }
    set { _setManagedOptional("tags", newValue) }
  }
  var folder: Folder? {
    get { _getManagedOptional("folder") }
    set { _setManagedOptional("folder", newValue) }
  }

  override func awakeFromInsert() {
    super.awakeFromInsert()
    awakenings += 1
  }
}

/// A folder of notes, with an initializer of its own.
final class Folder: NSManagedObject {
  var label = "none"

  required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
  }

  init(_ context: NSManagedObjectContext, name: String) {
    super.init(entity: Folder.entity(), insertInto: context)
    self.name = name
    label = name
  }

  var name: String? {
    get { _getManagedOptional("name") }
    set { _setManagedOptional("name", newValue) }
  }
  var notes: Set<Note> {
    get { _getManaged("notes") }
    set { _setManaged("notes", newValue) }
  }
}

enum Notes {
  /// The model, made in code as programs without a model file do.
  static func model() -> NSManagedObjectModel {
    let (note, folder, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (note.name, folder.name, tag.name) = ("Note", "Folder", "Tag")
    note.managedObjectClassName = NSStringFromClass(Note.self)
    folder.managedObjectClassName = "Folder"
    let notes = relationship("notes", to: note)
    let owner = relationship("folder", to: folder, max: 1)
    let tags = relationship("tags", to: tag)
    let tagged = relationship("notes", to: note)
    (notes.inverseRelationship, owner.inverseRelationship) = (owner, notes)
    (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
    let title = attribute("title", .stringAttributeType, optional: false)
    title.defaultValue = ""
    let rank = attribute("rank", .integer16AttributeType)
    rank.defaultValue = 0
    note.properties = [
      title, attribute("text", .stringAttributeType), rank,
      attribute("date", .dateAttributeType), attribute("colors", .transformableAttributeType),
      attribute("isDone", .booleanAttributeType), attribute("price", .decimalAttributeType), owner,
      tags,
    ]
    folder.properties = [attribute("name", .stringAttributeType), notes]
    tag.properties = [attribute("name", .stringAttributeType), tagged]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [note, folder, tag]
    return model
  }

  private static func attribute(
    _ name: String, _ type: NSAttributeType, optional: Bool = true
  ) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    return attribute
  }

  private static func relationship(
    _ name: String, to entity: NSEntityDescription, max: Int = 0
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = entity
    relationship.maxCount = max
    return relationship
  }

  /// A container whose store ends with it.
  static func container(
    _ model: NSManagedObjectModel = model()
  ) throws -> NSPersistentContainer {
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    return try container(description, model)
  }

  /// A container over a file with a history, whose store posts notifications of saves.
  static func container(at url: URL, _ model: NSManagedObjectModel) throws -> NSPersistentContainer
  {
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    return try container(description, model)
  }

  private static func container(
    _ description: NSPersistentStoreDescription, _ model: NSManagedObjectModel
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }
}
