// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct UndoTests {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext
  let manager = UndoManager()

  init() throws {
    container = try Notes.container()
    context = container.newBackgroundContext()
    context.undoManager = manager
    manager.groupsByEvent = false
  }

  /// Makes changes that are undone together.
  private func group(_ body: () throws -> Void) rethrows {
    manager.beginUndoGrouping()
    try body()
    manager.endUndoGrouping()
  }

  @Test func changesAreUndoneAndRedone() throws {
    var note: Note?
    group { note = Note(context: context) }
    let made = try #require(note)
    group { made.title = "One" }
    group {
      made.title = "Two"
      context.processPendingChanges()
      made.rank = 2
    }
    context.undo()
    #expect(made.title == "One" && made.rank == 0 && manager.canRedo)
    context.undo()
    #expect(made.title == "")
    context.redo()
    context.redo()
    #expect(made.title == "Two" && made.rank == 2 && !manager.canRedo)
    for _ in 0..<3 { manager.undo() }
    #expect(context.insertedObjects.isEmpty && !manager.canUndo)
    manager.redo()
    #expect(context.insertedObjects == [made])
  }

  @Test func aDeletionIsUndoneWithItsLinks() throws {
    manager.disableUndoRegistration()
    let note = Note(context: context)
    let folder = Folder(context, name: "Box")
    note.folder = folder
    try context.save()
    manager.enableUndoRegistration()
    #expect(!manager.canUndo)
    group { context.delete(folder) }
    try context.save()
    #expect(note.folder == nil)
    manager.undo()
    #expect(note.folder === folder && folder.name == "Box")
    try context.save()
    #expect(try context.count(for: NSFetchRequest<Folder>(entityName: "Folder")) == 1)
  }

  @Test func whatIsRegisteredBesideIsUndoneInItsPlace() {
    let note = Note(context: context)
    context.processPendingChangesOutside(of: manager)
    var order: [String] = []
    group {
      note.title = "One"
      context.processPendingChanges()
      manager.registerUndo(withTarget: manager) { _ in order.append("program \(note.title)") }
      note.title = "Two"
    }
    manager.undo()
    #expect(order == ["program One"] && note.title == "")
  }

  @Test func rollbackForgetsTheActionsOfTheContext() throws {
    group { Note(context: context).title = "One" }
    var isUndone = false
    group { manager.registerUndo(withTarget: manager) { _ in isUndone = true } }
    context.rollback()
    #expect(manager.canUndo)
    manager.undo()
    #expect(isUndone && !manager.canUndo && !context.hasChanges)
  }

  @Test func withoutAManagerNothingIsUndone() {
    context.undoManager = nil
    let note = Note(context: context)
    note.title = "One"
    context.undo()
    #expect(note.title == "One" && context.undoManager == nil)
  }
}

extension NSManagedObjectContext {
  /// Ends the event without registering it.
  fileprivate func processPendingChangesOutside(of manager: UndoManager) {
    manager.disableUndoRegistration()
    processPendingChanges()
    manager.enableUndoRegistration()
  }
}
