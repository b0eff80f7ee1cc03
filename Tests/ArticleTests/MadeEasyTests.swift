// SPDX-License-Identifier: MIT
// swift-format-ignore-file: UseTripleSlashForDocumentationComments

import ArticleClasses
import CoreData
import Testing

/// The snippets of "Core Data Made Easy: Some Code + Practices for Beginners and Experts", from Objective-C.
@Suite struct MadeEasyTests {
  /// The stack that the article uses, and to whose source it leads.
  final class CoreDataStack {
    let databaseURL: URL
    var managedObjectContext: NSManagedObjectContext!

    init(databaseURL: URL) {
      self.databaseURL = databaseURL
      let name = databaseURL.deletingPathExtension().lastPathComponent
      let url = Bundle.main.url(forResource: name, withExtension: "momd")!
      let coordinator = NSPersistentStoreCoordinator(
        managedObjectModel: NSManagedObjectModel(contentsOf: url)!)
      try! FileManager.default.createDirectory(
        at: databaseURL.deletingLastPathComponent(), withIntermediateDirectories: true)
      try! coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: databaseURL)
      managedObjectContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      managedObjectContext.persistentStoreCoordinator = coordinator
    }

    convenience init(modelName: String) { self.init(databaseFilename: modelName) }

    /// Each stack has a folder of its own.
    convenience init(databaseFilename: String) {
      let folder = UsualFolder.url.appendingPathComponent(UUID().uuidString)
      self.init(databaseURL: folder.appendingPathComponent("\(databaseFilename).sqlite"))
    }

    // Snippet: the method for saves whose errors are not ignored.
    func saveOrFail(_ blockFailedToSave: (((any Error)?) -> Void)!) {
      guard managedObjectContext != nil else { return blockFailedToSave(nil) }
      do { try managedObjectContext.save() } catch { blockFailedToSave(error) }
    }
  }

  private func count(_ name: String, in stack: CoreDataStack) throws -> Int {
    try stack.managedObjectContext.count(for: NSFetchRequest<NSManagedObject>(entityName: name))
  }

  // MARK: - The stack

  @Test func oneLineMakesAStack() throws {
    /** one line complete init */
    let cdStack = CoreDataStack(modelName: "MyModelName")

    /** one property you need for all Core Data method calls */
    cdStack.managedObjectContext

    #expect(try count("Email", in: cdStack) == 0)
  }

  @Test func aSecondStackHasAnotherModel() throws {
    /** one line complete init */
    let cdOtherStack = CoreDataStack(modelName: "MyOtherModelName")

    /** one property you need for all Core Data method calls */
    cdOtherStack.managedObjectContext

    let cdStack = CoreDataStack(modelName: "MyModelName")
    NSEntityDescription.insertNewObject(
      forEntityName: "Person", into: cdOtherStack.managedObjectContext)
    try cdOtherStack.managedObjectContext.save()
    #expect(try count("Person", in: cdOtherStack) == 1)
    #expect(cdStack.managedObjectContext.registeredObjects.isEmpty)
    let context = cdStack.managedObjectContext!
    #expect(NSEntityDescription.entity(forEntityName: "Person", in: context) == nil)
  }

  @Test func twoStacksShareAFile() throws {
    let firstStack: CoreDataStack
    let secondStack: CoreDataStack

    firstStack = CoreDataStack(databaseFilename: "MyModel")
    // uses the same config data, but is NOT shared
    secondStack = CoreDataStack(databaseURL: firstStack.databaseURL)

    Email(context: firstStack.managedObjectContext).subject = "Hello"
    #expect(try count("Email", in: secondStack) == 0)
    try firstStack.managedObjectContext.save()
    #expect(try count("Email", in: secondStack) == 1)
    #expect(firstStack.managedObjectContext !== secondStack.managedObjectContext)
  }

  // MARK: - New objects

  @Test func anObjectIsMadeByTheNameOfItsEntity() {
    let cdStack = CoreDataStack(modelName: "MyModelName")

    let newEmail =
      NSEntityDescription.insertNewObject(
        forEntityName: "Email", into: cdStack.managedObjectContext) as! Email

    #expect(cdStack.managedObjectContext.insertedObjects == [newEmail] && !newEmail.isReadYet)
  }

  @Test func anObjectIsMadeByTheNameOfItsClass() throws {
    let cdStack = CoreDataStack(modelName: "MyModelName")

    let newEmail =
      NSEntityDescription.insertNewObject(
        forEntityName: NSStringFromClass(Email.self), into: cdStack.managedObjectContext) as! Email

    #expect(newEmail.entity.name == "Email")
    let request = NSFetchRequest<Email>(entityName: NSStringFromClass(Email.self))
    #expect(try cdStack.managedObjectContext.fetch(request) == [newEmail])
  }

  // MARK: - Saves

  /// An object that saves as the article warns of.
  final class Careless {
    var managedObjectContext: NSManagedObjectContext!

    init(_ context: NSManagedObjectContext?) { managedObjectContext = context }

    func save() {
      // `try?`: the snippet ignores the error, which the article complains of.
      try? self.managedObjectContext?.save()
    }
  }

  @Test func anIgnoredErrorIsNotHeard() throws {
    let cdStack = CoreDataStack(modelName: "MyModelName")
    let email = Email(context: cdStack.managedObjectContext)
    Careless(cdStack.managedObjectContext).save()
    Careless(nil).save()
    #expect(cdStack.managedObjectContext.hasChanges)
    email.subject = "Hello"
    Careless(cdStack.managedObjectContext).save()
    #expect(!cdStack.managedObjectContext.hasChanges)
  }

  @Test func aFailedSaveIsHeard() {
    let cdStack = CoreDataStack(modelName: "MyModelName")
    let email = Email(context: cdStack.managedObjectContext)
    var errors: [NSError?] = []
    cdStack.saveOrFail { errorOrNil in errors.append(errorOrNil as NSError?) }
    #expect(errors.map { $0?.code } == [NSValidationMissingMandatoryPropertyError])
    email.subject = "Hello"
    cdStack.saveOrFail { _ in Issue.record("The save failed.") }
    cdStack.managedObjectContext = nil
    cdStack.saveOrFail { errorOrNil in errors.append(errorOrNil as NSError?) }
    #expect(errors.count == 2)
  }
}
