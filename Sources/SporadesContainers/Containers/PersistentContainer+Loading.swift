// SPDX-License-Identifier: MIT
import Dispatch
import FoundationEssentials
import Sporades
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesStore

// The loading of a container's stores.
//
// Rules:
// 1. A store that can not be opened stays as it is. A later load opens only the stores that are not open yet.
// 2. A load without a completion handler opens all stores or none.
extension PersistentContainer {
  /// Opens all stores or none, and returns their descriptions as the set-up changed them.
  @discardableResult
  public func loadPersistentStores() throws -> [PersistentStoreDescription] {
    try loading.withLock { _ in
      let all = try findUnloaded()
      var opened: [(asked: PersistentStoreDescription, used: PersistentStoreDescription)] = []
      do {
        for description in all { opened.append((description, try open(description))) }
      } catch {
        for description in opened { unload(description.asked, description.used) }
        throw error
      }
      return opened.map(\.used)
    }
  }

  /// Opens the stores, and calls `body` once for each store, with the error if it can not be opened. A description
  /// with `shouldAddStoreAsynchronously` gets its call later and on another thread, the others before the return.
  public func loadPersistentStores(
    completionHandler body:
      @escaping @Sendable (PersistentStoreDescription, (any Error)?) -> Void
  ) {
    let all: [PersistentStoreDescription]
    do {
      all = try findUnloaded()
    } catch {
      return body(persistentStoreDescriptions.first ?? PersistentStoreDescription(), error)
    }
    let load: @Sendable (PersistentStoreDescription) -> Void = { description in
      do {
        body(try self.loading.withLock { _ in try self.open(description) }, nil)
      } catch {
        body(description, error)
      }
    }
    for description in all where !description.shouldAddStoreAsynchronously { load(description) }
    let later = all.filter(\.shouldAddStoreAsynchronously)
    if !later.isEmpty { background.async { later.forEach(load) } }
  }

  /// Opens all stores or none while the calling task is suspended, and returns their descriptions.
  @discardableResult
  public func loadPersistentStores() async throws -> [PersistentStoreDescription] {
    try await withCheckedThrowingContinuation { continuation in
      background.async { continuation.resume(with: Result { try self.loadPersistentStores() }) }
    }
  }

  private var background: DispatchQueue { DispatchQueue(label: "sporades.container.\(name)") }

  /// Returns the descriptions whose stores are not open yet.
  private func findUnloaded() throws -> [PersistentStoreDescription] {
    let all = persistentStoreDescriptions
    guard !all.isEmpty else { throw LoadError.unusableDescriptions }
    var waiting = all
    for loaded in state.withLock(\.loaded) {
      if let place = waiting.firstIndex(of: loaded) { waiting.remove(at: place) }
    }
    guard !waiting.isEmpty, persistentStoreCoordinator != nil || loadedStack == nil else {
      throw LoadError.alreadyLoaded
    }
    return waiting
  }

  // MARK: - One store

  private func open(_ asked: PersistentStoreDescription) throws -> PersistentStoreDescription {
    var used = try applySetup(to: asked)
    addPlan(to: &used)
    if let coordinator = persistentStoreCoordinator {
      try coordinator.addPersistentStore(with: used)
      state.withLock { $0.loaded.append(asked) }
      return used
    }
    try managedObjectModel.checkFit(of: classes)
    let stack: DataStack
    if usesCoordinator || persistentStoreDescriptions.count > 1 {
      let coordinator = PersistentStoreCoordinator(model: managedObjectModel)
      try coordinator.addPersistentStore(with: used)
      stack = DataStack(store: coordinator, classes: classes)
    } else {
      stack = DataStack(store: try used.open(managedObjectModel), classes: classes)
    }
    state.withLock { state in
      state.stack = stack
      state.keeper = DALService(stack: stack)
      state.loaded.append(asked)
    }
    return used
  }

  /// Returns the description with the changes of the set-up. Makes the folder of a store at the usual place.
  private func applySetup(
    to description: PersistentStoreDescription
  ) throws -> PersistentStoreDescription {
    let all = persistentStoreDescriptions
    let isUsual = state.withLock { $0.descriptions == nil }
    if isUsual, case .usual = setup { _ = try StoreLocation().store(named: name) }
    let place = (all.firstIndex(of: description) ?? 0) + 1
    return try setup.applied(
      to: description, name: place == 1 ? name : "\(name)-\(place)", cache: cache)
  }

  /// Closes a store again, because another store of the same load could not be opened.
  private func unload(_ asked: PersistentStoreDescription, _ used: PersistentStoreDescription) {
    guard let coordinator = persistentStoreCoordinator else { return }
    state.withLock { state in
      if let place = state.loaded.lastIndex(of: asked) { state.loaded.remove(at: place) }
    }
    // try? because the caller throws the error of the other store, which came first.
    if let store = coordinator.persistentStores.last { try? coordinator.remove(store) }
    if coordinator.persistentStores.isEmpty {
      state.withLock { ($0.stack, $0.keeper) = (nil, nil) }
    }
  }
}
