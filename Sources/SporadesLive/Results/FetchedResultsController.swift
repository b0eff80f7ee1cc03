// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// The results of a fetch request, kept up to date, in sections if you like.
///
/// ```swift
/// let controller = FetchedResultsController(
///   Book.sorted(by: \.author, \.title), in: context, sections: \.author)
/// controller.delegate = self
/// try controller.performFetch()
/// ```
///
/// The results follow saves and unsaved changes of the context, the saves of others that it merges, and resets. The controller learns of unsaved changes at the end of a block,
/// before a save, and from `processPendingChanges()`. It belongs to the queue of its context, as objects do. While somebody holds the controller it holds
/// the context and the objects.
public final class FetchedResultsController<Object: ManagedObject> {
  /// The context of the objects.
  public let managedObjectContext: ManagedObjectContext
  /// The key path of the sections' names; nil if there are no sections or a closure names them.
  public let sectionNameKeyPath: String?
  /// The name of the file that keeps the names and sizes of the sections; nil for no file.
  public let cacheName: String?
  /// The request. After a change, call ``performFetch()``; the delegate hears what differs.
  public var fetchRequest: FetchRequest {
    didSet { mistake = nil }
  }
  /// The delegate, which the controller does not keep alive.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
    didSet { (delegateReadsSnapshots, delegateReadsDifferences) = (true, true) }
  }

  private let sectioning: Sectioning?
  /// The mistake of a typed request, which ``performFetch()`` throws.
  private var mistake: (any Error)?
  private var observation: ContextObservation?
  /// The results; nil before the first fetch.
  private(set) var followed: LiveFetch?
  /// The results missed a change, because bringing them up to date failed.
  private var isOutdated = false
  private var isFetching = false
  private var isReporting = false
  /// The delegate has an implementation for snapshots.
  var delegateReadsSnapshots = true
  /// The delegate has an implementation for differences.
  var delegateReadsDifferences = true
  let consumers = SnapshotConsumers()

  init(
    _ request: FetchRequest, mistake: (any Error)?, in context: ManagedObjectContext,
    sectionNameKeyPath: String?, sectioning: Sectioning?, cacheName: String?
  ) {
    context.checkQueue()
    fetchRequest = request
    self.mistake = mistake
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.sectioning = sectioning
    self.cacheName = cacheName
  }

  // MARK: - Fetching

  /// Fetches the results, and follows changes from then on. A later call reports to the delegate what
  /// differs from the results before.
  public func performFetch() throws {
    managedObjectContext.checkQueue()
    guard !isReporting else { throw FetchedResultsError.fetchedWhileReporting }
    if let mistake { throw mistake }
    try checkRequest()
    beginObserving()
    let next = try LiveFetch(fetchRequest, effectiveSectioning(), in: managedObjectContext)
    next.begin(from: followed)
    let change = try next.refetch(Touched(), isFirst: followed == nil)
    try writeCache(change.table)
    isOutdated = false
    take(change, of: next)
  }

  /// Replaces the request, and fetches its results.
  public func performFetch(_ request: FetchRequest) throws {
    fetchRequest = request
    try performFetch()
  }

  /// Replaces the request, and fetches its results.
  public func performFetch(_ request: TypedRequest<Object>) throws {
    fetchRequest = try request.fetchRequest(in: managedObjectContext)
    try performFetch()
  }

  private func checkRequest() throws(FetchedResultsError) {
    guard fetchRequest.resultType == .managedObject else {
      throw .unsupportedRequest(
        "A controller's request for \(fetchRequest.entityName) has the result type .\(fetchRequest.resultType). Set "
          + ".managedObject.")
    }
  }

  private func effectiveSectioning() throws -> Sectioning? {
    guard let sectionNameKeyPath else { return sectioning }
    let model = managedObjectContext.model
    guard let entity = model.shape(named: fetchRequest.entityName) else { return nil }
    return try Sectioning(sectionNameKeyPath, in: entity, model)
  }

  /// Hears of the changes until now, and of those that follow. What a first fetch finds is no change.
  private func beginObserving() {
    isFetching = followed == nil
    defer { isFetching = false }
    if observation == nil {
      observation = managedObjectContext.observe { [weak self] in self?.hear($0) }
    }
    managedObjectContext.processPendingChanges()
  }

  // MARK: - Events

  private func hear(_ event: ContextChange) {
    guard !isFetching, let followed else { return }
    let touched = followed.touched(by: event)
    do {
      let change =
        isOutdated
        ? try followed.refetch(.everything) : try followed.change(for: touched)
      isOutdated = false
      if let change { take(change, of: followed) }
    } catch {
      isOutdated = true
      consumers.fail(error)
      delegate?.controller(self, didFail: error)
    }
  }

  private func take(_ change: ResultChange, of next: LiveFetch) {
    let isFirst = followed == nil
    guard !change.steps.isEmpty else {
      next.apply(change)
      followed = next
      if isFirst { consumers.send(snapshot()) }
      return
    }
    isReporting = true
    defer { isReporting = false }
    delegate?.controllerWillChangeContent(self)
    let report = ChangeReport(change, from: followed?.list ?? ResultList(), self)
    next.apply(change)
    followed = next
    report.send(to: self)
  }
}
