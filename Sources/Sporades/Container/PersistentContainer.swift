// SPDX-License-Identifier: MIT
import Dispatch
public import FoundationEssentials
import SporadesDAL
public import SporadesGraph
public import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// A model, a store and the contexts over it, in Core Data's shape.
///
/// Set ``persistentStoreDescriptions`` where the usual place will not do, load, and use
/// ``viewContext``. A container has one store. What its contexts saved is committed some milliseconds
/// later, and at the latest when the process or the container ends.
public final class PersistentContainer: Sendable {
  public let name: String
  public let managedObjectModel: ManagedObjectModel
  private let classes: [ManagedObject.Type]
  private let setup: LaunchSetup
  private let cache: CacheFolder
  private let state: Guarded<State>

  private struct State {
    var descriptions: [PersistentStoreDescription]?
    var stack: DataStack?
    /// Commits what contexts saved when the process or the container ends, and reports what fails.
    var keeper: DALService?
  }

  /// Why a container could not be used or loaded.
  public enum LoadError: Error, Sendable {
    case alreadyLoaded
    /// There must be exactly one description, and a file needs a place.
    case unusableDescriptions
  }

  /// A container for a model. Entities without a class among `classes` have plain managed objects.
  public convenience init(
    name: String, managedObjectModel: ManagedObjectModel, classes: [ManagedObject.Type] = []
  ) {
    self.init(
      name: name, managedObjectModel, classes, LaunchSetup(arguments: CommandLine.arguments),
      CacheFolder())
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

  /// Where and how the store is opened; change it before loading.
  public var persistentStoreDescriptions: [PersistentStoreDescription] {
    get {
      state.withLock { $0.descriptions } ?? [
        PersistentStoreDescription(
          url: Self.defaultDirectoryURL.appendingPathComponent("\(name).sqlite"))
      ]
    }
    set { state.withLock { $0.descriptions = newValue } }
  }

  // MARK: - Loading

  /// Opens the store and returns the description it was opened by. A store that can not be opened
  /// is left as it is, and loading may be tried again.
  @discardableResult
  public func loadPersistentStores() throws -> PersistentStoreDescription {
    if persistentStore != nil { throw LoadError.alreadyLoaded }
    let isUsual = state.withLock { $0.descriptions == nil }
    let descriptions = persistentStoreDescriptions
    guard descriptions.count == 1 else { throw LoadError.unusableDescriptions }
    let description = try setup.applied(to: descriptions[0], name: name, cache: cache)
    if isUsual, case .usual = setup { _ = try StoreLocation().store(named: name) }
    let stack = try open(description)
    try state.withLock { state throws(LoadError) in
      guard state.stack == nil else { throw .alreadyLoaded }
      state.stack = stack
      state.keeper = DALService(stack: stack)
    }
    return description
  }

  /// Opens the store and calls `body` once: on the calling thread, before it returns, or later on
  /// another one where the description says so.
  public func loadPersistentStores(
    completionHandler body:
      @escaping @Sendable (PersistentStoreDescription, (any Error)?) -> Void
  ) {
    let load: @Sendable () -> Void = {
      let fallback = self.persistentStoreDescriptions.first ?? PersistentStoreDescription()
      do {
        body(try self.loadPersistentStores(), nil)
      } catch {
        body(fallback, error)
      }
    }
    guard persistentStoreDescriptions.contains(where: \.shouldAddStoreAsynchronously) else {
      return load()
    }
    loading.async(execute: load)
  }

  /// Opens the store without blocking the caller's thread.
  @discardableResult
  public func loadPersistentStores() async throws -> PersistentStoreDescription {
    try await withCheckedThrowingContinuation { continuation in
      loading.async { continuation.resume(with: Result { try self.loadPersistentStores() }) }
    }
  }

  private var loading: DispatchQueue { DispatchQueue(label: "sporades.container.\(name)") }

  private func open(_ description: PersistentStoreDescription) throws -> DataStack {
    let options = try description.storeOptions()
    let store: SQLiteStore
    switch (description.type, description.url) {
    case (.inMemory, _): store = try SQLiteStore(inMemory: managedObjectModel, options: options)
    case (.sqlite, let url?):
      store = try SQLiteStore(url: url, model: managedObjectModel, options: options)
    case (.sqlite, nil): throw LoadError.unusableDescriptions
    }
    return DataStack(store: store, classes: classes)
  }

  // MARK: - Contexts

  /// The store, once it is loaded.
  public var persistentStore: DataStack? { state.withLock(\.stack) }

  /// The stack under the contexts. Traps before the store is loaded.
  public var stack: DataStack {
    guard let stack = persistentStore else {
      preconditionFailure(
        "The container \(name) has no store. Call loadPersistentStores() before its contexts.")
    }
    return stack
  }

  /// The context that reads; it takes over what others save.
  public var viewContext: ContextQueue { stack.main }

  /// A context beside ``viewContext`` that saves to the store.
  public func newBackgroundContext() -> ContextQueue { stack.newContext(name: "background") }

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
