// SPDX-License-Identifier: MIT
import ArticleClasses
import CoreData
import Testing

// The snippets of "Core Data from Scratch: Core Data Stack", from Objective-C.

/// The application's delegate of the template: interface, variables and getters, a snippet each.
class TSPAppDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow!

  private var _managedObjectContext: NSManagedObjectContext!
  private var _managedObjectModel: NSManagedObjectModel!
  private var _persistentStoreCoordinator: NSPersistentStoreCoordinator!

  /// The article names the two functions and does not show them.
  let folder = try! TemporaryFolder()

  func saveContext() {
    guard let managedObjectContext, managedObjectContext.hasChanges else { return }
    do {
      try managedObjectContext.save()
    } catch {
      Issue.record(error)
    }
  }

  func applicationDocumentsDirectory() -> URL! { folder.url }

  var managedObjectContext: NSManagedObjectContext! {
    if _managedObjectContext != nil {
      return _managedObjectContext
    }

    let coordinator = self.persistentStoreCoordinator
    if coordinator != nil {
      _managedObjectContext = NSManagedObjectContext()
      _managedObjectContext.persistentStoreCoordinator = coordinator
    }
    return _managedObjectContext
  }

  var persistentStoreCoordinator: NSPersistentStoreCoordinator! {
    if _persistentStoreCoordinator != nil {
      return _persistentStoreCoordinator
    }

    let storeURL = self.applicationDocumentsDirectory().appendingPathComponent("Core_Data.sqlite")

    _persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: self.managedObjectModel)
    do {
      try _persistentStoreCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: nil)
    } catch let error as NSError {
      NSLog("Unresolved error %@, %@", error, error.userInfo)
      abort()
    }

    return _persistentStoreCoordinator
  }

  var managedObjectModel: NSManagedObjectModel! {
    if _managedObjectModel != nil {
      return _managedObjectModel
    }
    let modelURL = Bundle.main.url(forResource: "Core_Data", withExtension: "momd")!
    _managedObjectModel = NSManagedObjectModel(contentsOf: modelURL)
    return _managedObjectModel
  }
}

/// The delegate whose properties are set inside of it alone, as the class extension of the article has it.
class TSPAppDelegateWithExtension {
  private(set) var managedObjectContext: NSManagedObjectContext!
  private(set) var managedObjectModel: NSManagedObjectModel!
  private(set) var persistentStoreCoordinator: NSPersistentStoreCoordinator!

  init(_ delegate: TSPAppDelegate) {
    managedObjectContext = delegate.managedObjectContext
    managedObjectModel = delegate.managedObjectModel
    persistentStoreCoordinator = delegate.persistentStoreCoordinator
  }
}

@Suite struct TemplateTests {
  let delegate = TSPAppDelegate()

  private func applicationDocumentsDirectory() -> URL! { delegate.folder.url }

  @Test func theStackIsMadeWhenItIsNeeded() throws {
    let context = try #require(delegate.managedObjectContext)
    #expect(delegate.managedObjectContext === context && delegate.window == nil)
    #expect(context.persistentStoreCoordinator === delegate.persistentStoreCoordinator)
    #expect(delegate.persistentStoreCoordinator.managedObjectModel === delegate.managedObjectModel)
    // "The data model file in our project is empty at the moment."
    #expect(delegate.managedObjectModel.entities.isEmpty)
    let store = delegate.persistentStoreCoordinator.persistentStores.first
    #expect(store?.type == NSSQLiteStoreType && store?.url?.lastPathComponent == "Core_Data.sqlite")
    delegate.saveContext()
  }

  @Test func aClassExtensionKeepsThePropertiesInside() {
    let other = TSPAppDelegateWithExtension(delegate)
    #expect(other.managedObjectContext === delegate.managedObjectContext)
    #expect(other.managedObjectModel === delegate.managedObjectModel)
    #expect(other.persistentStoreCoordinator === delegate.persistentStoreCoordinator)
  }

  @Test func aStoreIsAddedStepByStep() throws {
    let storeURL = self.applicationDocumentsDirectory().appendingPathComponent("Core_Data.sqlite")

    let _persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: delegate.managedObjectModel)
    #expect(_persistentStoreCoordinator.persistentStores.isEmpty)

    do {
      try _persistentStoreCoordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: nil)
    } catch {
      Issue.record(error)
    }

    #expect(FileManager.default.fileExists(atPath: storeURL.path))
  }

  @Test func aStoreOfAnotherModelIsRefusedAndMigratesOrGoes() throws {
    let storeURL = self.applicationDocumentsDirectory().appendingPathComponent("Core_Data.sqlite")
    func add(_ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
      try coordinator.remove(store)
    }
    let url = try #require(Bundle.main.url(forResource: "Model", withExtension: "momd"))
    let newer = try #require(NSManagedObjectModel(contentsOf: url))
    try add(delegate.managedObjectModel, nil)
    // "The schema for the persistent store is incompatible with current managed object model."
    #expect { try add(newer, nil) } throws: { error in
      (error as NSError).code == NSPersistentStoreIncompatibleVersionHashError
    }

    let options = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]

    try add(newer, options)

    // "Simply deleting the existing store"; `try?`, because the snippet asks for no error.
    try? FileManager.default.removeItem(at: storeURL)

    try add(delegate.managedObjectModel, nil)
  }
}
