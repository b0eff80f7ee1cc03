// SPDX-License-Identifier: MIT
import CoreData

let text = NSAttributeDescription()
text.name = "text"
text.type = .string
let note = NSEntityDescription()
note.name = "Note"
note.properties = [text]
let model = NSManagedObjectModel()
model.entities = [note]

let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
let context = container.viewContext
NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
  .setValue("A note", forKey: "text")
try context.save()
let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
print(try context.fetch(request).compactMap { $0.value(forKey: "text") as? String })
