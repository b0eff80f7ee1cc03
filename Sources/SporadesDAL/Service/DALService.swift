// SPDX-License-Identifier: MIT
public import Dispatch
import SporadesChain
public import SporadesGraph
import SporadesModel
public import SporadesStore

/// Access to a store in blocks: `read {}`, `writeSync {}`, `writeAsync {}`.
///
/// Reads run on the main context. Each write runs on a context of its own, which is saved up the
/// chain when the block ends: what a write that returned has changed is seen by every later read.
/// The commit follows in the background, or before the write returns where the durability is
/// `.immediate`.
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
  // @unchecked because the class is open: all of its own properties are constants of Sendable types.

  /// How a service works, where it is not as usual.
  public struct Options: Sendable {
    /// Writes may run side by side; unique constraints then are what keeps find-or-create right.
    public var allowsConcurrentWritings = false
    /// What a write promises that does not say itself.
    public var durability: Durability = .eventual
    /// What a write does about rows that others changed, and about values that must be unique.
    public var mergePolicy: MergePolicy = .error
    /// How many writes that were asked for with `writeAsync` or `await write` may wait. Whoever asks for
    /// more waits until there is room; see ``DALService/writeAsync(durability:_:completion:)``.
    public var pendingWriteLimit = 10_000
    /// Where completions and the errors of asynchronous writes are delivered; a private serial
    /// queue if nil.
    public var completionQueue: DispatchQueue?
    /// Flushes the service when the process is told to stop.
    public var reactor: AppStateReactor? = .shared

    /// Options in which nothing differs from the usual.
    public init() {}
  }

  /// What the service stands on: a stack, or the reason there is none.
  let opening: Result<DataStack, DALError>
  let gate: WriterGate
  let options: Options
  let completions: DispatchQueue
  let status = Guarded(ServiceStatus())
  let openWrites = OpenWrites()
  let flusher: ServiceFlusher

  /// A service over the stack that `open` makes. Where it throws, the service exists all the same:
  /// the error goes to ``handleError(_:)``, and every read and write fails with it.
  public init(options: Options = Options(), opening open: () throws -> DataStack) {
    self.options = options
    gate = WriterGate(
      allowsConcurrentWritings: options.allowsConcurrentWritings, limit: options.pendingWriteLimit)
    completions = options.completionQueue ?? DispatchQueue(label: "sporades.completions")
    do {
      opening = .success(try open())
    } catch let error as DALError {
      opening = .failure(error)
    } catch {
      opening = .failure(DALError(.cannotOpen(error), during: .open))
    }
    flusher = ServiceFlusher(try? opening.get(), gate, status)
    flusher.rename("\(type(of: self))")
    start()
  }

  /// A service over a stack that is open already.
  public convenience init(stack: DataStack, options: Options = Options()) {
    self.init(options: options) { stack }
  }

  deinit {
    // Not before the commit: a signal that comes meanwhile must wait for it.
    defer { options.reactor?.unregister(flusher) }
    guard case .success(let stack) = opening else { return }
    let status = status.withLock { $0 }
    if let number = status.observation { stack.root.endObservation(number) }
    guard !status.isClosed else { return }
    let (failure, _) = stack.root.commitTelling(.eventual)
    // There is no service left to be told; of what is lost the stack has told.
    guard let failure else { return }
    writeToStandardError(
      "Sporades: a service was let go of, and its last writes could not be committed: \(failure)\n")
  }

  private func start() {
    switch opening {
    case .success(let stack):
      let number = stack.root.observeCommits { [weak self, completions] event in
        // The root is locked here, and a service that ends waits for this lock. The service in the holder is
        // therefore released on the completion queue, also if this is the last reference to it.
        let holder = Guarded(self)
        completions.async { holder.withLock { $0.take() }?.hear(event) }
      }
      status.withLock { $0.observation = number }
      options.reactor?.register(flusher)
    case .failure(let error): tell(error)
    }
  }

  /// Called with every failure of this service, once: of opening, reads, writes and commits.
  ///
  /// Override it; this one writes a line to standard error. It is called on the thread of the
  /// caller where one waits outside of the service's blocks, else on the completion queue: never
  /// while the service holds a queue.
  open func handleError(_ error: DALError) { writeToStandardError("Sporades: \(error)\n") }

  /// Called once with each write that was reported as not durable, when it is committed after all or is
  /// lost: ask the receipt's `state`. A write that is lost is reported to
  /// ``handleError(_:)``, too.
  ///
  /// Override it; this one does nothing. It is called on the completion queue. That may be before the
  /// caller of an `.immediate` write has seen the error.
  open func handleSettlement(_ receipt: WriteReceipt) {}

  private func hear(_ event: CommitEvent) {
    switch event {
    case .failed(let error): report(DALError(.notDurable(error), during: .commit))
    case .lost(let write, let receipt):
      report(DALError(.lost(write), during: .commit, receipt: receipt))
    case .settled(let receipt): completions.async { self.handleSettlement(receipt) }
    }
  }

  /// The stack, every layer of which can be reached; throws where it could not be opened.
  public func stack() throws(DALError) -> DataStack { try stack(for: .open) }

  func stack(for operation: DALError.Operation) throws(DALError) -> DataStack {
    if status.withLock({ $0.isClosed }) { throw DALError(.closed, during: operation) }
    return try opening.get()
  }

  // MARK: - Delivery

  /// Tells of a failure and returns it as one that was told: where a block passes it on, and so
  /// makes a step around it fail, it is not told again.
  @discardableResult
  func tell(_ error: DALError) -> DALError {
    guard error.teller != ObjectIdentifier(self) else { return error }
    if isInsideBlock {
      report(error)
    } else {
      for error in error.parts(for: self) { handleError(error) }
    }
    return error.told(by: self)
  }

  /// Tells of a failure on the completion queue.
  func report(_ error: DALError) {
    guard error.teller != ObjectIdentifier(self) else { return }
    completions.async { for error in error.parts(for: self) { self.handleError(error) } }
  }

  /// Whether the calling thread runs a block of the service.
  var isInsideBlock: Bool {
    guard openWrites.current == nil else { return true }
    if case .success(let stack) = opening { return stack.main.isCurrent }
    return false
  }

  /// A step that waits for all blocks of the service must not be one of them.
  func requireOutside(_ step: String) {
    precondition(
      !isInsideBlock,
      """
      A wait would never end: \(step) was called inside a block of the service it waits for. Call it \
      after the block.
      """)
  }

  func complete(_ completion: @escaping @Sendable (DALError?) -> Void, _ error: DALError?) {
    completions.async { completion(error) }
  }
}

/// What a service has become.
struct ServiceStatus {
  /// Reads and writes are refused.
  var isClosed = false
  /// What was accepted is on the disk, and the store is given up.
  var isShut = false
  /// The number of the observation of failed commits.
  var observation: Int?
}
