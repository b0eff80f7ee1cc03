// SPDX-License-Identifier: MIT
import ArticleClasses
import CoreData
import Testing

// The snippets of "Mastering Core Data Stack".

/// The stack of Xcode's template.
struct PersistenceController {
  static let shared = PersistenceController()

  let container: NSPersistentContainer

  init(inMemory: Bool = false) {
    container = NSPersistentContainer(name: "Model")
    if inMemory {
      container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
    }
    container.loadPersistentStores(completionHandler: { _, error in
      if let error = error as NSError? {
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    })
  }
}

/// The name that the article takes from elsewhere.
enum CoreDataStackSetting {
  static let defaultModelName = "Model"
}

/// The stack of the article, of which each section shows a part.
class CoreDataStack {
  private static var _model: NSManagedObjectModel?
  static func model(name: String = CoreDataStackSetting.defaultModelName) -> NSManagedObjectModel {

    if _model == nil {
      do {
        _model = try loadModel(name: name, bundle: Bundle.main)
      } catch {
        let err = error.localizedDescription
        fatalError("❌Database momd file cannot be loaded")
      }
    }

    return _model!
  }

  private static func loadModel(name: String, bundle: Bundle) throws -> NSManagedObjectModel {
    guard let modelURL = bundle.url(forResource: name, withExtension: "momd") else {
      fatalError("❌Database momd file cannot be loaded")
    }
    guard let model = NSManagedObjectModel(contentsOf: modelURL) else {
      fatalError("❌Database momd file cannot be parsed")
    }
    return model
  }

  public lazy var persistentContainer: NSPersistentContainer = {
    let container = NSPersistentContainer(
      name: modelName,
      managedObjectModel: Self.model(name: modelName)
    )
    // Other configuration code
    let privateDescrition: NSPersistentStoreDescription

    if !testMode {
      privateDescrition = NSPersistentStoreDescription(url: groupStoreURL)
    } else {
      // Saved in the Catch directory
      privateDescrition = NSPersistentStoreDescription(url: privateStoreTestURL)
    }

    let shareDescription = NSPersistentStoreDescription(url: groupStoreURL)

    if !allowCloudKitSync {
      privateDescrition.cloudKitContainerOptions = nil
      shareDescription.cloudKitContainerOptions = nil
    }

    if inMemory { privateDescrition.url = URL(fileURLWithPath: "/dev/null") }
    container.persistentStoreDescriptions = [privateDescrition]
    container.loadPersistentStores { _, error in
      if let error { fatalError("\(error)") }
    }
    return container
  }()

  /// Whether to enable only memory mode. Can be enabled by startup parameter -InMemory 1 or constructor parameter inMemory:true
  private let _inMemory: Bool
  private lazy var inMemory: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    var allow = false
    for index in 0..<arguments.count - 1 where arguments[index] == "-InMemory" {
      allow = arguments.count >= (index + 1) ? arguments[index + 1] == "1" : false
      break
    }
    return allow || _inMemory
  }()

  /// Whether to allow network synchronization or not, can use constructor parameter allowCloudKiteSync = false or start parameter -AllowCloudKitSync 0 to disable network synchronization
  private let _allowCloudKitSync: Bool
  private lazy var allowCloudKitSync: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    var allow = true
    for index in 0..<arguments.count - 1 where arguments[index] == "-AllowCloudKitSync" {
      allow = arguments.count >= (index + 1) ? arguments[index + 1] == "1" : true
      break
    }
    return allow && _allowCloudKitSync
  }()

  /// Whether it is a test mode, used in Unit Test, in this mode, local storage will be saved in the Catch directory
  private let _testMode: Bool
  private lazy var testMode: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    var allow = false
    for index in 0..<arguments.count - 1 where arguments[index] == "-TestMode" {
      allow = arguments.count >= (index + 1) ? arguments[index + 1] == "1" : false
      break
    }
    return allow || _testMode
  }()

  // What the article does not show.
  private let modelName: String
  private let folder = UsualFolder.url.appendingPathComponent(UUID().uuidString)
  private var groupStoreURL: URL { folder.appendingPathComponent("group.sqlite") }
  private var privateStoreTestURL: URL { folder.appendingPathComponent("test.sqlite") }
  var mode: [Bool] { [inMemory, allowCloudKitSync, testMode] }

  init(
    modelName: String, inMemory: Bool = false, allowCloudKitSync: Bool = true,
    testMode: Bool = false
  ) {
    self.modelName = modelName
    (_inMemory, _allowCloudKitSync, _testMode) = (inMemory, allowCloudKitSync, testMode)
    // `try!`: the tests cannot go on without the folder.
    try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
}

extension CoreDataStack {
  /// Stack used by normal app
  static let shared = CoreDataStack(modelName: "Model")

  /// Preview Stack saved only in memory
  static let previewInMemory = CoreDataStack(modelName: "Model", inMemory: true)

  /// Preview Stack saved in local storage
  static let previewInPersistentStore = CoreDataStack(modelName: "Model", allowCloudKitSync: false)

  /// Unit Test mode
  static let testMode = CoreDataStack(modelName: "Model", testMode: true)
}

@Suite(.serialized) struct MasteringTests {
  @Test func fourClassesMakeAStack() throws {
    let folder = try TemporaryFolder()
    let localURL = folder.url.appendingPathComponent("local.sqlite")

    guard let url = Bundle.main.url(forResource: "Model", withExtension: "momd") else {
      fatalError()
    }
    guard let model = NSManagedObjectModel(contentsOf: url) else { fatalError() }

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)

    // `try?`: the snippet ends the program without the store.
    guard
      let store = try? coordinator.addPersistentStore(
        type: .sqlite,
        configuration: "Local",
        at: localURL,
        options: nil)
    else {
      fatalError()
    }

    let viewContext = NSManagedObjectContext(.mainQueue)
    viewContext.persistentStoreCoordinator = coordinator

    #expect(store.configurationName == "Local" && store.url == localURL)
    Item(context: viewContext).timestamp = Date()
    try viewContext.save()
    #expect(try viewContext.count(for: Item.fetchRequest()) == 1)
    #expect(viewContext.concurrencyType == .mainQueueConcurrencyType)
  }

  private func count(_ container: NSPersistentContainer) throws -> Int {
    try container.newBackgroundContext().count(for: Item.fetchRequest())
  }

  private func addItem(to container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      Item(context: context).timestamp = Date()
      try context.save()
    }
  }

  @Test func theTemplateOfXcodeMakesAStack() throws {
    let kept = PersistenceController.shared.container
    try addItem(to: kept)
    #expect(try count(kept) == 1 && PersistenceController().container !== kept)
    #expect(try count(PersistenceController().container) == 1)
    let preview = PersistenceController(inMemory: true).container
    // "The memory mode referred to here still corresponds to the SQLite storage type."
    #expect(preview.persistentStoreCoordinator.persistentStores.first?.type == NSSQLiteStoreType)
    try addItem(to: preview)
    #expect(try count(preview) == 1)
    #expect(try count(PersistenceController(inMemory: true).container) == 0)
  }

  @Test func eachModeHasItsParameters() {
    #expect(CoreDataStack.shared.mode == [false, true, false])
    #expect(CoreDataStack.previewInMemory.mode == [true, true, false])
    #expect(CoreDataStack.previewInPersistentStore.mode == [false, false, false])
    #expect(CoreDataStack.testMode.mode == [false, true, true])
  }

  @Test func modesCoexistOverOneModel() throws {
    let stacks: [CoreDataStack] = [
      .shared, .previewInMemory, .previewInPersistentStore, .testMode,
    ]
    for (place, stack) in stacks.enumerated() {
      for _ in 0...place { try addItem(to: stack.persistentContainer) }
    }
    #expect(try stacks.map { try count($0.persistentContainer) } == [1, 2, 3, 4])
    #expect(
      stacks.allSatisfy { $0.persistentContainer.managedObjectModel === CoreDataStack.model() })
    let descriptions = stacks.flatMap(\.persistentContainer.persistentStoreDescriptions)
    #expect(descriptions.allSatisfy { $0.cloudKitContainerOptions == nil })
    let urls = stacks.map { $0.persistentContainer.persistentStoreDescriptions[0].url! }
    #expect(
      urls.map(\.lastPathComponent) == ["group.sqlite", "null", "group.sqlite", "test.sqlite"])
  }
}
