// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct InsertingTests {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init() throws {
    container = try Notes.container()
    context = container.newBackgroundContext()
  }

  private func detached<Object: NSManagedObject>(_ name: String) throws -> Object {
    let entity = try #require(NSEntityDescription.entity(forEntityName: name, in: context))
    return Object(entity: entity, insertInto: nil)
  }

  @Test func anObjectWithoutAContextIsInsertedLater() throws {
    let note: Note = try detached("Note")
    note.title = "One"
    note.setValue(["red"], forKey: "colors")
    #expect(note.managedObjectContext == nil && note.awakenings == 0)
    context.insert(note)
    #expect(note.managedObjectContext === context && note.isInserted && note.awakenings == 1)
    #expect(context.insertedObjects == [note])
    context.insert(note)
    try context.save()
    #expect(note.title == "One" && note.value(forKey: "colors") as? [String] == ["red"])
    #expect(!note.objectID.isTemporaryID && note.objectID.persistentStore != nil)
    note.title = "Two"
    try context.save()
    context.refresh(note, mergeChanges: false)
    #expect(note.title == "Two")
    let found = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
    #expect(found.count == 1 && found[0] === note)
  }

  @Test func theNameOfAClassWithItsModuleStandsForItsEntity() throws {
    let name = NSStringFromClass(Note.self)
    let note = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
    #expect(NSEntityDescription.entity(forEntityName: name, in: context) == note.entity)
    let request = NSFetchRequest<Note>(entityName: name)
    #expect(try context.fetch(request) == [note] && request.entityName == "Note")
    #expect(NSBatchUpdateRequest(entityName: name).entityName == "Note")
    #expect(NSBatchInsertRequest(entityName: name, objects: []).entityName == "Note")
    // Core Data knows no entity of such a name either.
    #expect(NSEntityDescription.entity(forEntityName: "Other.Note", in: context) == nil)
  }

  final class Leaf: NSManagedObject {}
  private final class Root: NSManagedObject {}

  @Test(arguments: [Leaf.self, Root.self, Note.self]) func classesInOtherTypesHaveNames(
    type: NSManagedObject.Type
  ) throws {
    let entity = NSEntityDescription()
    entity.name = "Plant"
    entity.managedObjectClassName = NSStringFromClass(type)
    // Core Data has no constraint without a name either.
    entity.uniquenessConstraints = [[]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let context = try Notes.container(model).viewContext
    let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
    #expect(Swift.type(of: plant) == type && plant.entity.name == "Plant")
    try context.save()
    #expect(NSStringFromClass(NSManagedObject.self) == "NSManagedObject")
  }

  @Test func otherObjectsHaveNoManagedValues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let value: String = NSObject()._getManaged("name")
      _ = value
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("NSObject.name is marked with @NSManaged"), "\(text.prefix(600))")
  }

  @Test func linkedObjectsComeAlong() throws {
    let note: Note = try detached("Note")
    let other: Note = try detached("Note")
    let folder: Folder = try detached("Folder")
    folder.name = "Box"
    note.folder = folder
    folder.notes.insert(other)
    context.insert(note)
    #expect(context.insertedObjects == [note, other, folder])
    #expect(folder.notes == [note, other] && other.folder === folder)
    try context.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "folder.name == %@", "Box")
    #expect(try container.viewContext.count(for: request) == 2)
  }

  @Test func manyAreInsertedInTheOrderOfTheirMaking() throws {
    let notes: [Note] = try (0..<300).map { rank in
      let note: Note = try detached("Note")
      note.rank = Int16(rank)
      return note
    }
    for note in notes { context.insert(note) }
    try context.save()
    #expect(notes.map(\.rank) == (0..<300).map { Int16($0) })
    context.reset()
    #expect(notes[0].managedObjectContext == nil)
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 300)
  }

  @Test func manyThreadsMakeObjectsWithoutAContext() async throws {
    let container = container
    let titles = try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for thread in 0..<8 {
        group.addTask {
          try await container.performBackgroundTask { context in
            let notes = try (0..<50).map { number in
              let entity = try #require(
                NSEntityDescription.entity(forEntityName: "Note", in: context))
              let note = Note(entity: entity, insertInto: nil)
              note.title = "\(thread)/\(number)"
              return note
            }
            for note in notes.reversed() { context.insert(note) }
            try context.save()
            return Set(notes.map(\.title))
          }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    #expect(titles.count == 400)
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 400)
  }

  // MARK: - Query generations

  @Test func aPinnedContextShowsOneState() throws {
    let folder = try TemporaryFolder()
    let container = try Notes.container(at: folder.file("notes.sqlite"), Notes.model())
    let (reader, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
    let request = NSFetchRequest<Note>(entityName: "Note")
    #expect(reader.queryGenerationToken == nil)
    try reader.setQueryGenerationFrom(.current)
    #expect(try reader.count(for: request) == 0)
    _ = Note(context: writer)
    try writer.save()
    #expect(try reader.count(for: request) == 0)
    let other = container.newBackgroundContext()
    try other.setQueryGenerationFrom(reader.queryGenerationToken)
    #expect(other.queryGenerationToken == reader.queryGenerationToken)
    #expect(try other.count(for: request) == 0)
    try reader.setQueryGenerationFrom(nil)
    #expect(try reader.count(for: request) == 1)
  }

  @Test func aStoreInMemoryCanBePinnedToo() throws {
    try container.viewContext.setQueryGenerationFrom(.current)
    #expect(try container.viewContext.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
  }
}

/// A context that notes the faults that lead nowhere.
private final class StrictContext: NSManagedObjectContext, @unchecked Sendable {
  // @unchecked: one test uses it.
  var seen: [String] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    seen.append("\(oid.entity.name ?? "").\(property?.name ?? "")")
    return true
  }
}

@Suite struct InaccessibleFaultTests {
  @Test func theContextDecidesAboutObjectsWithoutRows() throws {
    let container = try Notes.container()
    let writer = container.newBackgroundContext()
    let note = Note(context: writer)
    note.title = "One"
    try writer.save()
    let context = StrictContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    let twin = try #require(context.object(with: note.objectID) as? Note)
    writer.delete(note)
    try writer.save()
    #expect(twin.text == nil)
    #expect(context.seen == ["Note.text"])
  }
}
