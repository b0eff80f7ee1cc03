// SPDX-License-Identifier: MIT
public import Dispatch
import SporadesChain
public import SporadesGraph
import SporadesModel
public import SporadesStore

/// Access to a store in blocks: `read {}`, `writeSync {}`, `writeAsync {}`.
///
/// Chained reads run on the main context. A read that a task awaits runs on a new context, side by side with others. Each
/// write runs on a new context, and the service saves the context when the block ends. Every read that follows the return of a write sees its changes. The commit follows in the
/// background. With the durability `.immediate` it comes before the write returns.
///
/// Subclass it to share one instance and to handle errors:
///
/// ```text
/// final class AppData: DALService, @unchecked Sendable {
///   static let shared = AppData(sqlite: "AppData", entities: [User.self, Pet.self])
///   override func handleError(_ error: DALError) { logger.error("\(error)") }
/// }
/// ```
open class DALService: QueryModel, CommandModel, @unchecked Sendable {
  // @unchecked because the class is open. All properties that it declares are constants of Sendable types.

  /// The settings of a service.
  public struct Options: Sendable {
    /// Allows writes to run at the same time. Only unique constraints then keep find-or-create right.
    public var allowsConcurrentWritings: Bool
    /// The durability of a write that names none.
    public var durability: Durability
    /// The rule for conflicts with other saves, and for values that must be unique.
    public var mergePolicy: MergePolicy
    /// The largest number of `writeAsync` and `await write` calls that wait to run. The caller of one more waits
    /// for room; see ``DALService/writeAsync(durability:_:completion:)``.
    public var pendingWriteLimit: Int
    /// The queue for completions and for the errors of asynchronous writes; nil for a private serial queue.
    public var completionQueue: DispatchQueue?
    /// Lets the program's launch arguments replace the store of a service over a file. `-InMemory 1` keeps nothing,
    /// and `-TestMode 1` keeps the store in a folder of the user's cache. Without the option, these arguments mean
    /// nothing to the service.
    public var honorsLaunchArguments: Bool
    /// The reactor that flushes the service before the process ends; nil for none.
    public var reactor: AppStateReactor?

    /// Makes the usual settings, but for those that are named.
    public init(
      allowsConcurrentWritings: Bool = false, durability: Durability = .eventual,
      mergePolicy: MergePolicy = .error, pendingWriteLimit: Int = 10_000,
      completionQueue: DispatchQueue? = nil, honorsLaunchArguments: Bool = false,
      reactor: AppStateReactor? = .shared
    ) {
      self.allowsConcurrentWritings = allowsConcurrentWritings
      self.durability = durability
      self.mergePolicy = mergePolicy
      self.pendingWriteLimit = pendingWriteLimit
      self.completionQueue = completionQueue
      self.honorsLaunchArguments = honorsLaunchArguments
      self.reactor = reactor
    }
  }

  /// The stack, or the error that kept it from opening.
  let opening: Opening
  let gate: WriterGate
  let options: Options
  let completions: DispatchQueue
  let status = Guarded(ServiceStatus())
  let openWrites = OpenWrites()
  /// The threads on which ``handleError(_:)`` runs.
  private let handling = Guarded<[Int]>([])
  package let readWorkers = ReadWorkers()
  /// Follows the writes for the service's observers; nil before the first one.
  let live = Guarded<FollowingHub?>(nil)
  let flusher: ServiceFlusher

  /// Makes a service over the stack that `open` returns. If `open` throws, ``handleError(_:)`` gets the error,
  /// and every read and write fails with it.
  public init(options: Options = Options(), opening open: () throws -> DataStack) {
    self.options = options
    options.reactor?.beginOpening()
    gate = WriterGate(
      allowsConcurrentWritings: options.allowsConcurrentWritings, limit: options.pendingWriteLimit,
      name: "\(Self.self)")
    completions = options.completionQueue ?? DispatchQueue(label: "sporades.completions")
    do {
      opening = .open(try open())
    } catch let error as DALError {
      opening = .failed(error)
    } catch {
      opening = .failed(DALError(.cannotOpen(error), during: .open))
    }
    flusher = ServiceFlusher(opening.stack, gate, status, openWrites)
    flusher.rename("\(type(of: self))")
    start()
  }

  /// Makes a service over a stack that is open.
  public convenience init(stack: DataStack, options: Options = Options()) {
    self.init(options: options) { stack }
  }

  deinit {
    // The service leaves the reactor last, so that a signal during the commit waits for it.
    defer { options.reactor?.unregister(flusher) }
    live.withLock(\.self)?.end()
    guard let stack = opening.stack else { return }
    if let path = stack.store.path { ServicePlaces.forget(path, of: self) }
    let status = status.withLock { $0 }
    if let number = status.observation { stack.root.endObservation(number) }
    guard !status.isClosed else { return }
    let (failure, _) = stack.root.commitReturningLosses(.eventual)
    // No service is left to handle the error. The root has reported lost writes.
    guard let failure else { return }
    let reason =
      status.hasFailedToClose
      ? "after its close() had failed, and its last writes are lost"
      : "and its last writes could not be committed. Close a service before you drop it"
    writeToStandardError("Sporades: a service ended, \(reason): \(failure)\n")
  }

  private func start() {
    switch opening {
    case .open(let stack):
      let number = stack.root.observeCommits { [weak self, completions] event in
        // The root is locked here, and a service that ends waits for this lock. The service in the holder is
        // therefore released on the completion queue, also if this is the last reference to it.
        let holder = Guarded(self)
        completions.async { holder.withLock { $0.take() }?.handle(event) }
      }
      status.withLock { $0.observation = number }
      if ConcurrencyCheck.isOn, let path = stack.store.path {
        ServicePlaces.note(path, of: self, stack.store)
      }
      if let reactor = options.reactor {
        stack.root.leaveExitToService()
        reactor.endOpening(flusher)
      }
    case .failed(let error):
      options.reactor?.endOpening(nil)
      reportHere(error)
    }
  }

  /// Handles each failure of opening, of a read, of a write or of a commit. The service calls it once per
  /// failure, and not for an error of the program's own block that the call throws.
  ///
  /// Override it; this one writes a line to standard error. The service calls it on the thread of a caller that
  /// waits outside of the service's blocks, else on the completion queue. The service holds no queue meanwhile.
  open func handleError(_ error: DALError) {
    let start = error.blockError == nil ? "" : "The block of a \(error.operation.rawValue) threw: "
    writeToStandardError("Sporades: \(start)\(error)\n")
  }

  /// Refuses an override for errors of any type, which nobody would call.
  @available(*, unavailable, message: "override func handleError(_ error: DALError)")
  open func handleError(_ error: any Error) {}

  /// Handles the end of a write that was reported as not durable: the commit or the loss, which the receipt's
  /// `state` tells. ``handleError(_:)`` gets a lost write too.
  ///
  /// Override it; this one does nothing. The service calls it once per write on the completion queue, perhaps
  /// before the caller of an `.immediate` write has the error.
  open func handleSettlement(_ receipt: WriteReceipt) {}

  /// Runs on the completion queue.
  private func handle(_ event: CommitEvent) {
    switch event {
    case .failed(let error): handle(DALError(.notDurable(error), during: .commit))
    case .lost(let write, let receipt):
      handle(DALError(.lost(write), during: .commit, receipt: receipt))
    case .settled(let receipt): handleSettlement(receipt)
    }
  }

  /// Returns the stack under the service; throws if it could not be opened or the service is closed.
  public func stack() throws(DALError) -> DataStack { try stack(for: .open) }

  /// The stack; nil if it could not be opened or the service is closed.
  package var openStack: DataStack? { status.withLock(\.isClosed) ? nil : opening.stack }

  package func stack(for operation: DALError.Operation) throws(DALError) -> DataStack {
    if status.withLock({ $0.isClosed }) { throw DALError(.closed, during: operation) }
    // The service reported the failure when it was made, so no later call reports it again.
    switch opening {
    case .open(let stack): return stack
    case .failed(let error): throw error.markReported(by: self)
    }
  }

  // MARK: - Reporting

  /// Reports a failure on the calling thread, or later if the thread runs a block of the service. Returns the
  /// error with a mark, so that an outer block that rethrows it does not report it again.
  @discardableResult
  package func reportHere(_ error: DALError) -> DALError {
    guard error.reporter != ObjectIdentifier(self) else { return error }
    if isInsideBlock {
      reportLater(error)
    } else {
      for error in error.parts(for: self) { handle(error) }
    }
    return error.markReported(by: self)
  }

  /// Reports a failure that a call throws. An error of the caller's own block goes back to the caller, who needs no report
  /// of it.
  package func reportThrown(_ error: DALError) -> DALError {
    guard error.blockError != nil else { return reportHere(error) }
    for other in error.parts(for: self) where other.blockError == nil { reportHere(other) }
    return error.markOthersReported(by: self)
  }

  /// Reports a failure on the completion queue.
  func reportLater(_ error: DALError) {
    guard error.reporter != ObjectIdentifier(self) else { return }
    completions.async { for error in error.parts(for: self) { self.handle(error) } }
  }

  /// Calls ``handleError(_:)``. A failure of a call that it makes itself goes to standard error, because it would
  /// else call itself for ever.
  private func handle(_ error: DALError) {
    let thread = ConcurrencyCheck.currentThread
    let isFirst = handling.withLock { threads in
      guard !threads.contains(thread) else { return false }
      threads.append(thread)
      return true
    }
    guard isFirst else {
      return writeToStandardError(
        "Sporades: A call in handleError failed, and was not reported to it again: \(error)\n")
    }
    defer { handling.withLock { $0.removeAll { $0 == thread } } }
    handleError(error)
  }

  /// The calling thread runs a block of the service.
  var isInsideBlock: Bool {
    guard openWrites.current == nil, !readWorkers.isRunningHere else { return true }
    return opening.stack?.main.isCurrent ?? false
  }

  /// Traps inside a block of the service, because the step waits for all blocks.
  func requireOutside(_ step: String) {
    trap(
      unless: !isInsideBlock,
      """
      A wait would never end: a block of the service called \(step), which waits for the end of the block. Call \
      \(step) after the block.
      """)
  }

  func complete(_ completion: @escaping @Sendable (DALError?) -> Void, _ error: DALError?) {
    completions.async { completion(error) }
  }
}

/// The outcome of a service's opening. It is no `Result`, because the runtime takes long to make a generic type that
/// needs a conformance.
enum Opening {
  case open(DataStack)
  case failed(DALError)

  var stack: DataStack? { if case .open(let stack) = self { stack } else { nil } }
}

/// The stage of a service's end.
struct ServiceStatus {
  /// The service refuses reads and writes.
  var isClosed = false
  /// All accepted writes are on the disk, and the store is closed.
  var isShut = false
  /// The last call of `close()` could not commit.
  var hasFailedToClose = false
  /// The number of the observation of commits.
  var observation: Int?
}
