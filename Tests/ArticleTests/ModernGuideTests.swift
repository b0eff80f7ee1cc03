// SPDX-License-Identifier: MIT
// swift-format-ignore-file: ReplaceForEachWithForLoop

import ArticleClasses
import CoreData
import Foundation
import Testing

// The snippets of the guide to "the modern way to use Core Data", whose `...` the tests fill in. The first one is the class `Note` in
// ArticleClasses.

/// The stack of the guide.
public class DB {

  public static let `default` = DB()

  public var container: NSPersistentContainer!

  /// Call this once in `applicationDidFinishLaunching`
  public func setup(dataModelName: String) {
    container = NSPersistentContainer(name: dataModelName)
    container.loadPersistentStores { _, error in
      if let error = error {
        fatalError("Unable to load persistent stores: \(error)")
      }
    }
  }

}

/// The snippet about transient properties.
extension Note {
  #if canImport(ObjectiveC)
    @objc
  #endif
  var contentCount: NSNumber? {
    willAccessValue(forKey: "content")
    let contentCount = content!.count
    didAccessValue(forKey: "content")
    return NSNumber(value: contentCount)
  }
}

@Suite(.serialized) @MainActor struct ModernGuideTests {
  let container: NSPersistentContainer
  let background: NSManagedObjectContext

  init() throws {
    DB.default.setup(dataModelName: "MyDataModel")
    container = DB.default.container
    background = container.newBackgroundContext()
    try background.performAndWait { [background] in
      for note in try background.fetch(Note.fetchRequest()) { background.delete(note) }
      try background.save()
    }
  }

  /// Saves notes in the background.
  private func add(_ contents: String...) throws {
    try background.performAndWait {
      for (place, content) in contents.enumerated() {
        let note = Note(context: background)
        (note.content, note.priority) = (content, NSNumber(value: place))
      }
      try background.save()
    }
  }

  private func contents() throws -> [String?] {
    let request: NSFetchRequest<Note> = Note.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
    return try container.newBackgroundContext().fetch(request).map(\.content)
  }

  /// Runs a body, and waits until a context of the container has saved.
  private func saved(after body: () -> Void) async {
    let coordinator = container.persistentStoreCoordinator
    await Saves.next(where: { $0.persistentStoreCoordinator === coordinator }, after: body)
  }

  // MARK: - Objects

  @Test func setUpOpensTheStoreOfTheModel() {
    #expect(container.name == "MyDataModel")
    let store = container.persistentStoreCoordinator.persistentStores.first
    #expect(store?.url?.lastPathComponent == "MyDataModel.sqlite")
  }

  @Test func aNoteIsMadeInTheBackground() async throws {
    await saved {
      DB.default.container.performBackgroundTask { context in
        let note = Note(context: context)
        note.content = "Hello World"
        note.priority = 99
        try! context.save()
      }
    }
    let notes = try container.viewContext.fetch(Note.fetchRequest())
    #expect(notes.map(\.content) == ["Hello World"] && notes.first?.priority == 99)
  }

  @Test func notesAreFetched() throws {
    try add("B", "A", "Z")
    let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()
    fetchRequest.predicate = NSPredicate(format: "content < %@", "Z")
    fetchRequest.sortDescriptors = [NSSortDescriptor(key: "content", ascending: true)]
    let notes = try! DB.default.container.viewContext.fetch(fetchRequest)
    notes.forEach {
      print($0.content)
    }
    #expect(notes.map(\.content) == ["A", "B"])
  }

  @Test func aNoteIsUpdated() async throws {
    try add("A", "B")
    await saved {
      DB.default.container.performBackgroundTask { context in
        let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()
        fetchRequest.predicate = NSPredicate(format: "priority == %@", 1 as NSNumber)
        let notes = try! context.fetch(fetchRequest)
        let note = notes.first
        note?.content = "This is the first note"
        try! context.save()
      }
    }
    #expect(try contents() == ["A", "This is the first note"])
  }

  @Test func aNoteIsDeleted() async throws {
    try add("A", "B")
    await saved {
      DB.default.container.performBackgroundTask { context in
        let note = try! context.fetch(Note.fetchRequest()).first { $0.content == "A" }!
        context.delete(note)
        try! context.save()
      }
    }
    #expect(try contents() == ["B"])
  }

  // MARK: - Contexts

  @Test func theMainContextReflectsChanges() async throws {
    container.viewContext.automaticallyMergesChangesFromParent = true

    try add("A")
    let note = try #require(try container.viewContext.fetch(Note.fetchRequest()).first)
    #expect(note.content == "A")
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: container.viewContext, queue: nil
    ) { _ in continuation.yield() }
    defer { NotificationCenter.default.removeObserver(observer) }
    try background.performAndWait {
      try background.fetch(Note.fetchRequest()).first?.content = "B"
      try background.save()
    }
    for await _ in changes { break }
    #expect(note.content == "B")
  }

  @Test func aFaultWhoseRowIsGoneHasNoValues() throws {
    try add("A")
    let context = container.newBackgroundContext()

    context.shouldDeleteInaccessibleFaults = true

    try context.performAndWait {
      let note = try #require(try context.fetch(Note.fetchRequest()).first)
      context.refresh(note, mergeChanges: false)
      let batch = NSBatchDeleteRequest(objectIDs: [note.objectID])
      try background.execute(batch)
      #expect(note.isFault && note.content == nil)
    }
  }

  @Test func aContextIsPinned() throws {
    try add("A")
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let token = context.queryGenerationToken
      try context.setQueryGenerationFrom(token)

      // "By default, context are unpinned."
      #expect(token == nil)
      try context.setQueryGenerationFrom(NSQueryGenerationToken.current)
      #expect(try context.count(for: Note.fetchRequest()) == 1)
      try add("B")
      #expect(try context.count(for: Note.fetchRequest()) == 1)
      try context.setQueryGenerationFrom(NSQueryGenerationToken.current)
      #expect(try context.count(for: Note.fetchRequest()) == 2)
    }
  }

  // MARK: - Faults and transient properties

  /// The source of a table's rows.
  final class Rows {
    let fetchedResultsController: NSFetchedResultsController<Note>

    init(_ context: NSManagedObjectContext) {
      let request: NSFetchRequest<Note> = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
      // The rows come as faults.
      request.includesPropertyValues = false
      fetchedResultsController = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
    }

    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      let fetchRequest: NSFetchRequest<Note> = Note.fetchRequest()
      fetchRequest.returnsObjectsAsFaults = false
      let items = indexPaths.map { fetchedResultsController.object(at: $0) }
      fetchRequest.predicate = NSPredicate(format: "SELF IN %@", items)
      let asyncFetchRequest = NSAsynchronousFetchRequest(fetchRequest: fetchRequest)
      do {
        try fetchedResultsController.managedObjectContext.execute(asyncFetchRequest)
      } catch {}
    }
  }

  @Test func rowsAreFetchedBeforeTheyAreShown() async throws {
    try add("A", "B", "C")
    let context = container.viewContext
    let rows = Rows(context)
    try rows.fetchedResultsController.performFetch()
    let notes = try #require(rows.fetchedResultsController.fetchedObjects)
    #expect(notes.map(\.isFault) == [true, true, true])
    rows.tableView(
      UITableView(),
      prefetchRowsAt: [IndexPath(item: 0, section: 0), IndexPath(item: 2, section: 0)])
    // A block behind that of the request.
    await context.perform(schedule: .enqueued) {}
    #expect(notes.map(\.isFault) == [false, true, false])
  }

  @Test func aTransientPropertyIsComputed() throws {
    let note = Note(context: container.viewContext)
    note.content = "Hello World"
    #expect(note.contentCount == 11)
    container.viewContext.rollback()
  }
}
