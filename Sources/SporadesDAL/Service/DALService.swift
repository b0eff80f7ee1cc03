// SPDX-License-Identifier: MIT
public import Dispatch
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
    /// Where completions and the errors of asynchronous writes are delivered; a private serial
    /// queue if nil.
    public var completionQueue: DispatchQueue?
    /// Flushes the service when the process is told to stop.
    public var reactor: AppStateReactor? = .shared

    public init() {}
  }

  /// What the service stands on: a stack, or the reason there is none.
  let opening: Result<DataStack, DALError>
  let gate: WriterGate
  let options: Options
  let completions: DispatchQueue
  let status = Guarded(ServiceStatus())
  /// The write whose block is running; only asked by the thread it runs on.
  let openWrite = Guarded<OpenWrite?>(nil)

  /// A service over the stack that `open` makes. Where it throws, the service exists all the same:
  /// the error goes to ``handleError(_:)``, and every read and write fails with it.
  public init(options: Options = Options(), opening open: () throws -> DataStack) {
    self.options = options
    gate = WriterGate(allowsConcurrentWritings: options.allowsConcurrentWritings)
    completions = options.completionQueue ?? DispatchQueue(label: "sporades.completions")
    do {
      opening = .success(try open())
    } catch let error as DALError {
      opening = .failure(error)
    } catch {
      opening = .failure(DALError(.cannotOpen(error), during: .open))
    }
    start()
  }

  public convenience init(stack: DataStack, options: Options = Options()) {
    self.init(options: options) { stack }
  }

  deinit {
    options.reactor?.unregister(self)
    if case .success(let stack) = opening, !status.withLock(\.isClosed) {
      _ = stack.root.commit(.eventual)
    }
  }

  private func start() {
    switch opening {
    case .success(let stack):
      stack.root.observeFailures { [weak self] error in
        self?.report(DALError(.notDurable(error), during: .commit))
      }
      options.reactor?.register(self)
    case .failure(let error): handleError(error)
    }
  }

  /// Called with every failure of this service, once: of opening, reads, writes and commits.
  ///
  /// Override it; this one writes a line to standard error. It is called on the thread of the
  /// caller where one waits, else on the completion queue, and never while the service holds a
  /// queue.
  open func handleError(_ error: DALError) { writeToStandardError("Sporades: \(error)\n") }

  /// The stack, every layer of which can be reached; throws where it could not be opened.
  public func stack() throws(DALError) -> DataStack {
    if status.withLock(\.isClosed) { throw DALError(.closed, during: .open) }
    return try opening.get()
  }

  // MARK: - Delivery

  /// Delivers an error on the completion queue.
  func report(_ error: DALError) { completions.async { self.handleError(error) } }

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
}
