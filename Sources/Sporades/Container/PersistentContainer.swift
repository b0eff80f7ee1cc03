// SPDX-License-Identifier: MIT
import Dispatch
public import FoundationEssentials
import SporadesDAL
public import SporadesGraph
public import SporadesModel
import SporadesModelFiles
public import SporadesStore

/// A model, its stores and the contexts over them, in Core Data's shape.
///
/// Set ``persistentStoreDescriptions`` where the usual place will not do, load, and use
/// ``viewContext``. A container with several stores has a coordinator. What its contexts saved is
/// committed some milliseconds later, and at the latest when the process or the container ends.
public final class PersistentContainer: Sendable {
  /// The name of the container, and of its store's file where no description says otherwise.
  public let name: String
  /// The model of all the container's stores.
  public let managedObjectModel: ManagedObjectModel
  let classes: [ManagedObject.Type]
  let setup: LaunchSetup
  let cache: CacheFolder
  let state: Guarded<State>
  /// Held while stores are opened.
  let loading = Guarded(())

  struct State {
    var descriptions: [PersistentStoreDescription]?
    var usesCoordinator = false
    var stack: DataStack?
    /// Commits what contexts saved when the process or the container ends, and reports what fails.
    var keeper: DALService?
    /// The descriptions whose stores are open.
    var loaded: [PersistentStoreDescription] = []
  }

  /// Why a container could not be used or loaded.
  public enum LoadError: Error, Sendable {
    /// The container's stores are open already.
    case alreadyLoaded
    /// There must be a description.
    case unusableDescriptions
  }

  /// A container for a model. Entities without a class among `classes` have plain managed objects.
  public convenience init(
    name: String, managedObjectModel: ManagedObjectModel, classes: [ManagedObject.Type] = []
  ) {
    self.init(
      name: name, managedObjectModel, classes, LaunchSetup.ofProcess, CacheFolder())
  }

  /// A container for the entities that the classes declare.
  public convenience init(name: String, entities: [ManagedObject.Type]) throws {
    self.init(name: name, managedObjectModel: try ManagedObjectModel(entities), classes: entities)
  }

  /// A container for the model file of the same name, beside the program or in the working folder.
  public convenience init(name: String, classes: [ManagedObject.Type] = []) throws {
    self.init(name: name, managedObjectModel: try ManagedObjectModel(named: name), classes: classes)
  }

  init(
    name: String, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ setup: LaunchSetup, _ cache: CacheFolder
  ) {
    self.name = name
    managedObjectModel = model
    self.classes = classes
    self.setup = setup
    self.cache = cache
    state = Guarded(State())
  }

  /// The folder that stores lie in which are given no place.
  public static var defaultDirectoryURL: URL { StoreLocation().folder }

  /// Where and how the stores are opened; change it before loading. New objects go to the first store
  /// that holds their entity and can be written.
  public var persistentStoreDescriptions: [PersistentStoreDescription] {
    get {
      state.withLock { $0.descriptions } ?? [
        PersistentStoreDescription(
          url: Self.defaultDirectoryURL.appendingPathComponent("\(name).sqlite"))
      ]
    }
    set { state.withLock { $0.descriptions = newValue } }
  }

  /// Puts a single store under a coordinator too, so that others can be added and it can be removed
  /// later. Set it before loading.
  public var usesCoordinator: Bool {
    get { state.withLock(\.usesCoordinator) }
    set { state.withLock { $0.usesCoordinator = newValue } }
  }

  // MARK: - Contexts

  /// The stack under the contexts; nil before a store is loaded.
  public var loadedStack: DataStack? { state.withLock(\.stack) }

  /// The stack under the contexts. Traps before a store is loaded.
  public var stack: DataStack {
    guard let stack = loadedStack else {
      preconditionFailure(
        "The container \(name) has no store. Call loadPersistentStores() before its contexts.")
    }
    return stack
  }

  /// The coordinator of the stores that are loaded; nil before, and where a single store does without.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    loadedStack?.persistentStoreCoordinator
  }

  /// The context that reads; it takes over what others save.
  public var viewContext: ContextQueue { stack.main }

  /// A context beside ``viewContext`` that saves to the store.
  public func newBackgroundContext() -> ContextQueue { stack.newContext(name: "background") }

  /// A context beside ``viewContext`` that the calling thread holds: its objects are used without a block. See
  /// `DataStack.newThreadContext(name:)`.
  public func newThreadContext() -> ManagedObjectContext {
    stack.newThreadContext(name: "thread")
  }

  /// Runs `body` in a new context on its own queue, and returns what it returns. It saves by itself.
  public func performBackgroundTask<Output: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws -> Output {
    let queue = newBackgroundContext()
    return try await queue.perform { try body($0) }
  }

  /// Runs `body` in a new context some time soon. It saves by itself.
  public func performBackgroundTask(
    _ body: @escaping @Sendable (ManagedObjectContext) -> Void
  ) {
    newBackgroundContext().performLater(body)
  }
}

extension PersistentContainer.LoadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .alreadyLoaded: "The container has its store already. Load it once."
    case .unusableDescriptions:
      """
      A container loads exactly one store. Give it one description, and a description of a file its \
      URL.
      """
    }
  }
}
