// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct CellTests {
  private func context(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container.newBackgroundContext()
  }

  /// The model with more attributes, so that all others have other places.
  private func widerModel() -> NSManagedObjectModel {
    let model = Notes.model()
    for entity in model.entities where entity.name == "Note" {
      let more = ["aardvark", "badger"].map { name in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = (name, .stringAttributeType)
        attribute.isOptional = true
        return attribute
      }
      entity.properties = more + entity.properties
    }
    return model
  }

  @Test func anAccessorFindsItsPropertyInEachModel() throws {
    let contexts = [try context(Notes.model()), try context(widerModel())]
    for round in 1...2 {
      for (number, context) in contexts.enumerated() {
        let note = Note(context: context)
        (note.title, note.rank, note.text) = ("\(round)", Int16(number), nil)
        note.date = Date(timeIntervalSinceReferenceDate: Double(round))
        try context.save()
        #expect(note.title == "\(round)" && note.rank == Int16(number) && note.text == nil)
        #expect(note.value(forKey: "title") as? String == "\(round)")
        #expect(note.date == Date(timeIntervalSinceReferenceDate: Double(round)))
        context.refresh(note, mergeChanges: false)
        #expect(note.title == "\(round)" && note.rank == Int16(number))
      }
    }
  }

  @Test func anAccessorMayBeWiderThanItsCell() throws {
    let note = Note(context: try context(Notes.model()))
    note._setManaged("rank", 300 as Int)
    let wide: Int = note._getManaged("rank")
    let middle: Int32? = note._getManagedOptional("rank")
    #expect(wide == 300 && middle == 300 && note.rank == 300)
    note._setManaged("rank", -5 as Int64)
    #expect(note.rank == -5 && note.value(forKey: "rank") as? NSNumber == -5)
  }

  @Test func valuesByNameTakeAllFormsOfANumber() throws {
    let note = Note(context: try context(Notes.model()))
    let forms: [Any] = [7, 7 as Int16, 7 as Int32, 7 as Int64, NSNumber(value: 7), 7.0, 7 as UInt8]
    for form in forms {
      note.rank = 0
      note.setValue(form, forKey: "rank")
      #expect(note.rank == 7, "\(type(of: form))")
    }
    for form in [true, NSNumber(value: true), NSNumber(value: 1)] as [Any] {
      note.setValue(nil, forKey: "isDone")
      #expect(note.value(forKey: "isDone") == nil)
      note.setValue(form, forKey: "isDone")
      #expect(note.value(forKey: "isDone") as? NSNumber == 1)
    }
    note.setValue("text", forKey: "text")
    note.setValue(Optional("more") as Any, forKey: "text")
    #expect(note.text == "more")
    note.setValue(NSNull(), forKey: "text")
    #expect(note.text == nil && note.value(forKey: "text") == nil)
    note.setValue(NSDate(timeIntervalSinceReferenceDate: 2), forKey: "date")
    #expect(note.date == Date(timeIntervalSinceReferenceDate: 2))
  }

  @Test func notificationsHaveSetsThatProgramsCanUse() throws {
    let context = try context(Notes.model())
    // nonisolated(unsafe), because the observer runs on the calling thread.
    nonisolated(unsafe) var told: [[String: Set<NSManagedObject>]] = []
    let names = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { notification in
      let info = notification.userInfo ?? [:]
      unsafe told.append(
        Dictionary(
          uniqueKeysWithValues: names.map { ($0, info[$0] as? Set<NSManagedObject> ?? []) }))
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    let (first, second) = (Note(context: context), Note(context: context))
    context.processPendingChanges()
    var inserted = unsafe told[0][NSInsertedObjectsKey] ?? []
    #expect(inserted == [first, second] && inserted as? Set<Note> == [first, second])
    let third = Note(context: context)
    inserted.insert(third)
    #expect(inserted.count == 3 && inserted.contains(third) && (inserted as NSSet).count == 3)
    // The list of changed objects has no first one any more, and another at its end.
    context.delete(first)
    second.title = "Two"
    context.processPendingChanges()
    let last = unsafe told[1]
    #expect(last[NSDeletedObjectsKey] == [first])
    #expect(last[NSUpdatedObjectsKey] == [second] && last[NSInsertedObjectsKey] == [third])
    context.processPendingChanges()
    let count = unsafe told.count
    #expect(count == 2)
  }
}
