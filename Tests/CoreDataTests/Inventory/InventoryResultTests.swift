// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// A delegate with all methods of the protocol.
private final class Listener: NSFetchedResultsControllerDelegate {
  var heard: [String] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { heard.append("object \(type)") }
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) { heard.append("section \(type)") }
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) { heard.append("difference \(diff.count)") }
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) { heard.append("will") }
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) { heard.append("did") }
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? { "*\(sectionName)" }
}

/// Chapter 1.10 of the inventory: controllers of results.
@Suite struct InventoryResultTests {
  typealias Controller = NSFetchedResultsController<Note>
  let context: NSManagedObjectContext
  let controller: Controller

  init() throws {
    context = try Notes.container().newBackgroundContext()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    controller = Controller(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title",
      cacheName: nil)
  }

  @Test func kindsOfChangesHaveCoreDatasNumbers() {
    let kinds: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
    #expect(kinds.map(\.rawValue) == [1, 2, 3, 4])
  }

  @Test func aControllerShowsResultsInSections() throws {
    let _: (Controller) -> () throws -> Void = Controller.performFetch
    let (path, cache): (String?, String?) = (controller.sectionNameKeyPath, controller.cacheName)
    let none: [Note]? = controller.fetchedObjects
    #expect(path == "title" && cache == nil && none == nil && controller.sections == nil)
    #expect(controller.fetchRequest.entityName == "Note")
    #expect(controller.managedObjectContext === context && controller.delegate == nil)
    let note = Note(context: context)
    note.title = "Alpha"
    try controller.performFetch()
    let object: Note = controller.object(at: IndexPath(indexes: [0, 0]))
    let place: IndexPath? = controller.indexPath(forObject: note)
    let sections: [any NSFetchedResultsSectionInfo]? = controller.sections
    #expect(object === note && place == IndexPath(indexes: [0, 0]))
    let section = try #require(sections?.first)
    let (name, title, count): (String, String?, Int) = (
      section.name, section.indexTitle, section.numberOfObjects
    )
    let objects: [Any]? = section.objects
    #expect(name == "Alpha" && title == "A" && count == 1 && objects?.count == 1)
    let titles: [String] = controller.sectionIndexTitles
    let indexTitle: String? = controller.sectionIndexTitle(forSectionName: "alpha")
    let number: Int = controller.section(forSectionIndexTitle: "A", at: 0)
    #expect(titles == ["A"] && indexTitle == "A" && number == 0)
    let _: (String?) -> Void = Controller.deleteCache(withName:)
  }

  @Test func aDelegateHearsOfChanges() throws {
    let listener = Listener()
    controller.delegate = listener
    try controller.performFetch()
    #expect(controller.sectionIndexTitle(forSectionName: "A") == "*A")
    Note(context: context).title = "A"
    context.processPendingChanges()
    #expect(listener.heard.first == "will" && listener.heard.last == "did")
    #expect(Set(listener.heard).isSuperset(of: ["section insert", "object insert"]))
    #expect(listener.heard.contains("difference 1"))
  }
}
