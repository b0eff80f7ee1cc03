// SPDX-License-Identifier: MIT
import Dispatch
public import FoundationEssentials
package import Sporades
import SporadesDAL
public import SporadesGraph
public import SporadesModel
package import SporadesSQLite
import SporadesStore

/// A model, its stores and the contexts over them, in Core Data's shape.
///
/// Set ``persistentStoreDescriptions`` if the stores do not lie at the usual place. Then load the stores and use
/// ``viewContext``. A container with several stores has a coordinator. The container commits a save some
/// milliseconds later, and at the latest when the process or the container ends.
public final class PersistentContainer: Sendable {
  /// The name of the container and of its usual store.
  public let name: String
  /// The model of the stores.
  public let managedObjectModel: ManagedObjectModel
  let classes: [ManagedObject.Type]
  private let launchSetup: LaunchSetup?
  /// The migration of stores whose descriptions have none.
  private let plan: (any StoreMigrationPlan)?
  let cache: CacheFolder
  let state: Guarded<State>
  /// Held during a load.
  let loading = Guarded(())

  struct State {
    var descriptions: [PersistentStoreDescription]?
    var usesCoordinator = false
    var honorsLaunchArguments = false
    var stack: DataStack?
    /// Commits the last saves when the process or the container ends, and reports failures.
    var keeper: DALService?
    /// The descriptions of the open stores.
    var loaded: [PersistentStoreDescription] = []
  }

  /// A mistake in the use of a container's load.
  public enum LoadError: DescribedError, Sendable {
    /// All stores of the container are open already.
    case alreadyLoaded
    /// The container has no description.
    case unusableDescriptions
  }

  /// Makes a container for a model. Entities without a class in `classes` have plain managed objects.
  public convenience init(
    name: String, managedObjectModel: ManagedObjectModel, classes: [ManagedObject.Type] = []
  ) {
    self.init(
      name: name, managedObjectModel, classes, nil, CacheFolder())
  }

  /// Makes a container for the entities that the classes declare.
  public convenience init(name: String, entities: [ManagedObject.Type]) throws {
    self.init(name: name, managedObjectModel: try ManagedObjectModel(entities), classes: entities)
  }

  /// A set-up takes the place of the launch arguments.
  package init(
    name: String, _ model: ManagedObjectModel, _ classes: [ManagedObject.Type],
    _ setup: LaunchSetup?, _ cache: CacheFolder, plan: (any StoreMigrationPlan)? = nil
  ) {
    self.name = name
    managedObjectModel = model
    self.classes = classes
    launchSetup = setup
    self.cache = cache
    self.plan = plan
    state = Guarded(State())
  }

  /// The folder of stores without a URL of their own.
  public static var defaultDirectoryURL: URL { StoreLocation().folder }

  /// The descriptions of the stores. Change them before the load. New objects go to the first writable store that
  /// holds their entity.
  public var persistentStoreDescriptions: [PersistentStoreDescription] {
    get {
      state.withLock { $0.descriptions } ?? [
        PersistentStoreDescription(
          url: Self.defaultDirectoryURL.appendingPathComponent("\(name).sqlite"))
      ]
    }
    set { state.withLock { $0.descriptions = newValue } }
  }

  /// Puts a single store under a coordinator too, which can add and remove stores later. Set it before the load.
  public var usesCoordinator: Bool {
    get { state.withLock(\.usesCoordinator) }
    set { state.withLock { $0.usesCoordinator = newValue } }
  }

  /// Lets the program's launch arguments replace the stores. `-InMemory 1` keeps nothing, and `-TestMode 1` keeps
  /// the stores in a folder of the user's cache. Without it, these arguments mean nothing to the container. Set it
  /// before the load.
  public var honorsLaunchArguments: Bool {
    get { state.withLock(\.honorsLaunchArguments) }
    set { state.withLock { $0.honorsLaunchArguments = newValue } }
  }

  var setup: LaunchSetup {
    launchSetup ?? LaunchSetup.ofProcess(isHonored: honorsLaunchArguments)
  }

  /// Gives a description the container's plan, unless it has one.
  func addPlan(to description: inout PersistentStoreDescription) {
    description.sqliteOptions.migrationPlan = description.sqliteOptions.migrationPlan ?? plan
  }

  // MARK: - Contexts

  /// The stack under the contexts; nil before the load.
  public var loadedStack: DataStack? { state.withLock(\.stack) }

  /// The stack under the contexts. Traps before the load.
  public var stack: DataStack {
    guard let stack = loadedStack else {
      trap(
        "The container \(name) has no store. Call loadPersistentStores() before its contexts.")
    }
    return stack
  }

  /// The coordinator of the loaded stores; nil before the load, and for a single store without a coordinator.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    loadedStack?.persistentStoreCoordinator
  }

  /// The context for reads. It merges the saves of all other contexts.
  public var viewContext: ContextQueue { stack.main }

  /// Makes a context beside ``viewContext`` that saves to the store.
  public func newBackgroundContext() -> ContextQueue { stack.newContext(name: "background") }

  /// Makes a context that belongs to the calling thread, which uses its objects without a block. See
  /// `DataStack.newThreadContext(name:)`.
  @available(*, noasync, message: "A task changes threads. Use newBackgroundContext().")
  public func newThreadContext() -> ManagedObjectContext {
    stack.newThreadContext(name: "thread")
  }

  /// Runs `body` in a new context while the calling task is suspended, and returns its result. The body saves the
  /// context itself.
  public func performBackgroundTask<Output: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Output
  ) async throws -> Output {
    let queue = newBackgroundContext()
    return try await queue.perform { try body($0) }
  }

  /// Runs `body` in a new context later, and does not wait. The body saves the context itself.
  public func performBackgroundTask(
    _ body: @escaping @Sendable (ManagedObjectContext) -> Void
  ) {
    newBackgroundContext().performLater(body)
  }
}

extension PersistentContainer.LoadError {
  /// A sentence that names the mistake and the remedy.
  public var description: String {
    switch self {
    case .alreadyLoaded: "All stores of the container are loaded already. Load them once."
    case .unusableDescriptions:
      "The container has no store to load. Set persistentStoreDescriptions to one description or more."
    }
  }
}
