// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct ObjectTests {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init() throws {
    container = try Notes.container()
    context = container.newBackgroundContext()
  }

  @Test func objectsAreMadeOfTheClassThatTheModelNames() throws {
    let note = Note(context: context)
    note.title = "One"
    #expect(note.entity.name == "Note")
    #expect(note.managedObjectContext === context)
    #expect(note.isInserted && note.awakenings == 1)
    #expect(context.insertedObjects == [note])
    let folder = Folder(context, name: "Box")
    #expect(folder.label == "Box")
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    #expect(type(of: tag) == NSManagedObject.self)
    try context.save()
    #expect(!context.hasChanges && !note.objectID.isTemporaryID)
  }

  @Test func fetchesGiveTheSameInstances() throws {
    let note = Note(context: context)
    (note.title, note.rank, note.folder) = ("One", 3, Folder(context, name: "Box"))
    try context.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(
      format: "title == %@ AND folder.name BEGINSWITH[c] %@", "One", "b")
    request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
    #expect(try context.fetch(request) == [note])
    let other = container.newBackgroundContext()
    let found = try #require(try other.fetch(request).first)
    #expect(found !== note && found.objectID == note.objectID && found.awakenings == 0)
    #expect(found.folder?.name == "Box" && found.folder?.label == "none")
    #expect(found.folder?.notes == [found])
  }

  @Test func aClassHasARequestForItsObjects() throws {
    Note(context: context).title = "One"
    let results = try context.fetch(Note.fetchRequest())
    #expect((results as? [Note])?.map(\.title) == ["One"])
    let count = try context.performAndWait { try Note.fetchRequest().execute().count }
    #expect(count == 1)
  }

  @Test func relationshipsAreReadAsMutableSets() {
    let note = Note(context: context)
    let folder = Folder(context, name: "Box")
    let live: NSMutableSet = folder._getManaged("notes")
    live.add(note)
    #expect(folder.notes == [note] && live.count == 1 && note.folder === folder)
    let maybe: NSMutableSet? = folder._getManagedOptional("notes")
    #expect(maybe == live && live == NSSet(object: note) && live.description.contains("Note"))
    live.removeAllObjects()
    #expect(folder.notes.isEmpty && note.folder == nil)
    // Foundation casts sets to those of Swift by its own storage, so that what is read by name is no subclass.
    #expect(folder.value(forKey: "notes") as? Set<Note> == [])
    folder.notes = [note]
    #expect(folder.value(forKey: "notes") as? Set<Note> == [note])
  }

  @Test func numbersAreReadAsDecimalOnes() {
    let note = Note(context: context)
    note.rank = 7
    let rank: NSDecimalNumber = note._getManaged("rank")
    #expect(rank == 7 && rank.adding(1) == 8)
  }

  @Test func valuesAreReadAndSetByName() throws {
    let note = Note(context: context)
    note.setValue("One", forKey: "title")
    note.setValue(NSNumber(value: 4), forKey: "rank")
    note.setValue(true, forKey: "isDone")
    note.setValue(Decimal(string: "1.50"), forKey: "price")
    note.setValue(["red", "blue"] as NSArray, forKey: "colors")
    #expect(note.rank == 4)
    #expect(note.value(forKey: "rank") as? Int == 4)
    #expect(note.value(forKey: "isDone") as? Bool == true)
    #expect(note.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
    #expect(note.value(forKey: "colors") as? [String] == ["red", "blue"])
    #expect(note.value(forKey: "text") == nil)
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue("new", forKey: "name")
    note.setValue(NSSet(object: tag), forKey: "tags")
    #expect(note.tags?.count == 1 && note.tags?.anyObject() as? NSManagedObject === tag)
    #expect(note.value(forKeyPath: "tags.@count") as? Int == 1)
    #expect(note.value(forKeyPath: "tags.name") as? Set<String> == ["new"])
    note.mutableSetValue(forKey: "tags").remove(tag)
    #expect(note.tags?.count == 0)
    try context.save()
    context.refresh(note, mergeChanges: false)
    #expect(note.isFault && note.value(forKey: "colors") as? [String] == ["red", "blue"])
  }

  @Test func changesAreTold() throws {
    let note = Note(context: context)
    note.title = "One"
    try context.save()
    note.title = "Two"
    note.folder = Folder(context, name: "Box")
    #expect(note.changedValues()["title"] as? String == "Two")
    #expect(note.changedValues()["folder"] as? Folder == note.folder)
    #expect(note.committedValues(forKeys: ["title"])["title"] as? String == "One")
    context.rollback()
    #expect(note.title == "One" && note.folder == nil)
  }

  @Test func objectsOfAnotherContextAreTheirOwn() throws {
    let note = Note(context: context)
    note.title = "One"
    try context.save()
    let main = container.viewContext
    let twin = main.object(with: note.objectID)
    #expect(twin !== note && twin.value(forKey: "title") as? String == "One")
    note.title = "Two"
    try context.save()
    #expect(twin.value(forKey: "title") as? String == "One")
    main.refreshAllObjects()
    #expect(twin.value(forKey: "title") as? String == "Two")
  }

  @Test func savesAreMergedOnDemand() throws {
    let main = container.viewContext
    let note = Note(context: context)
    note.title = "One"
    try context.save()
    let twin = try #require(main.object(with: note.objectID) as? Note)
    #expect(twin.title == "One")
    let told = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: context, queue: nil
    ) { notification in main.mergeChanges(fromContextDidSave: notification) }
    defer { NotificationCenter.default.removeObserver(told) }
    note.title = "Two"
    try context.save()
    #expect(twin.title == "Two")
  }

  @Test func validationSaysCoreDatasNumbers() throws {
    let note = Note(context: context)
    note.setValue(nil, forKey: "title")
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    #expect(error?.userInfo[NSValidationObjectErrorKey] as? Note === note)
  }

  @Test func aChildSavesIntoItsParent() throws {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    let note = Note(context: child)
    note.title = "One"
    try child.save()
    #expect(context.hasChanges && context.insertedObjects.count == 1)
    try context.save()
    #expect(try container.viewContext.count(for: NSFetchRequest<Note>(entityName: "Note")) == 1)
  }

  @Test func blocksRunOnTheQueueAndGiveResults() async throws {
    let context = context
    let count = try await context.perform {
      Note(context: context).title = "One"
      try context.save()
      return try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
    }
    #expect(count == 1)
    let names = await container.performBackgroundTask { context in
      (context.persistentStoreCoordinator?.managedObjectModel.entities ?? []).compactMap(\.name)
    }
    #expect(names == ["Note", "Folder", "Tag"])
    context.performAndWait { #expect(context.hasChanges == false) }
  }

  @Test func dictionariesIdsAndCountsAreResultsToo() throws {
    for rank in [1, 2, 2] as [Int16] { Note(context: context).rank = rank }
    try context.save()
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["rank"]
    request.returnsDistinctResults = true
    request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
    #expect(try context.fetch(request) as? [[String: Int]] == [["rank": 1], ["rank": 2]])
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
    ids.resultType = .managedObjectIDResultType
    #expect(try context.fetch(ids).count == 3)
    let count = NSFetchRequest<NSNumber>(entityName: "Note")
    count.resultType = .countResultType
    #expect(try context.fetch(count) == [3])
  }

  @Test func anIDOfAnotherCoordinatorOverTheFileNamesTheObject() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("notes.sqlite")
    let one = try Notes.container(at: url, Notes.model()).newBackgroundContext()
    let two = try Notes.container(at: url, Notes.model()).newBackgroundContext()
    let id = try one.performAndWait {
      let note = Note(context: one)
      note.title = "One"
      try one.save()
      return note.objectID
    }
    try two.performAndWait {
      #expect(two.registeredObject(for: id) == nil)
      let note = try #require(try two.existingObject(with: id) as? Note)
      #expect(note.title == "One" && two.object(with: id) === note)
      #expect(two.registeredObject(for: id) === note)
    }
    try one.performAndWait {
      (one.object(with: id) as? Note)?.title = "Two"
      try one.save()
    }
    // A list of ids as histories of the other coordinator have it.
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectIDsKey: Set([id])], into: [two])
    two.performAndWait { #expect((two.registeredObject(for: id) as? Note)?.title == "Two") }
  }
}
