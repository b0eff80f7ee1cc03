// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesModel
public import SporadesStore

/// A failure of a service's operation.
///
/// Branch on ``code``, the kind of failure. ``operation`` names the failed operation.
public struct DALError: DescribedError, Sendable {
  /// The kind of failure, with its cause.
  public let code: Code
  /// The operation that failed.
  public let operation: Operation
  /// The receipt of an accepted write, if the code is ``Code-swift.enum/notDurable(_:)`` or
  /// ``Code-swift.enum/lost(_:)``. Read its state before you repeat the write.
  public internal(set) var receipt: WriteReceipt?
  /// The further failures of the same block.
  private var others: [DALError] = []
  /// The service that has reported the error; nil before the report.
  private(set) var reporter: ObjectIdentifier?

  /// Makes an error of a failed operation.
  public init(_ code: Code, during operation: Operation) {
    self.init(code, during: operation, receipt: nil)
  }

  init(_ code: Code, during operation: Operation, receipt: WriteReceipt?) {
    self.code = code
    self.operation = operation
    self.receipt = receipt
  }

  /// An operation of a service.
  public enum Operation: String, Hashable, Sendable {
    /// The service opened its store.
    case open
    /// A block read.
    case read
    /// A block wrote, or its changes were saved.
    case write
    /// Accepted writes were committed.
    case commit
    /// The service made its writes durable because it was asked to, or because the process was ending.
    case flush
    /// The service copied its store.
    case copy
    /// The service removed all rows.
    case reset
    /// The service was closed.
    case close
  }

  /// A kind of failure, with its cause.
  public enum Code: Sendable {
    /// The store could not be opened. Its files are unchanged.
    case cannotOpen(any Error)
    /// Objects do not satisfy their model. Nothing was saved.
    case validation(ValidationError)
    /// The store refused or failed.
    case store(StoreError)
    /// A context refused or failed.
    case context(ContextError)
    /// A predicate or order does not fit the model.
    case predicate(FetchPredicateError)
    /// The observation cannot be made.
    case observation(ObservationError)
    /// A read block changed these objects. The service undid the changes.
    case mutationInRead([ManagedObjectID])
    /// The write is accepted, and its commit failed. The service keeps the write and tries the commit again.
    case notDurable(StoreError)
    /// The write was accepted, and its commit failed. Another writer changed the same rows before the next attempt.
    case lost(LostWrite)
    /// ``DALService/Options/pendingWriteLimit`` writes wait already, and the caller must not wait for room.
    /// Nothing was written.
    case tooManyWrites(limit: Int)
    /// The operation waits for a write that waits for the block in which the operation was called, so that none of them would
    /// ever end. The names lead along the waits. Nothing was written, and the other write goes on.
    case circularWait([String])
    /// The process is ending, and the service refuses writes.
    case stopping
    /// The task was cancelled: before its block started, which then did not run, or while the block read.
    case cancelled
    /// The service is closed.
    case closed
    /// The caller's own block threw an error. The service discarded the block's changes.
    case block(any Error)
  }

  /// Makes the service's error of any error that an operation threw.
  package init(_ error: any Error, during operation: Operation) {
    self =
      switch error {
      case let error as DALError: error
      case let error as ValidationError: DALError(.validation(error), during: operation)
      case let failures as BlockFailures: DALError(failures, during: operation)
      case let error as StoreError where error.code == .closed: DALError(.closed, during: operation)
      case let error as StoreError where error.code == .cancelled:
        DALError(.cancelled, during: operation)
      case let error as StoreError:
        // A store wraps the error of a predicate or an order that does not fit the model.
        if let cause = error.underlying as? FetchPredicateError {
          DALError(.predicate(cause), during: operation)
        } else {
          DALError(.store(error), during: operation)
        }
      case ContextError.notDurable(let error, let receipt):
        DALError(.notDurable(error), during: .commit, receipt: receipt)
      case let error as ContextError: DALError(.context(error), during: operation)
      case let error as ObservationError: DALError(.observation(error), during: operation)
      case let error as FetchPredicateError: DALError(.predicate(error), during: operation)
      default: DALError(.block(error), during: operation)
      }
  }

  private init(_ failures: BlockFailures, during operation: Operation) {
    self = DALError(failures.first, during: operation)
    others = failures.others.map { DALError($0, during: operation) }
  }

  /// The error and the further failures of the same block, except those that the service has reported.
  func parts(for service: AnyObject) -> [DALError] {
    ([self] + others).filter { $0.reporter != ObjectIdentifier(service) }
  }

  /// Returns the error with a mark that the service has reported it.
  func markReported(by service: AnyObject) -> DALError {
    var marked = self
    marked.reporter = ObjectIdentifier(service)
    return marked
  }

  /// Returns the error with a mark that the service has reported its further failures.
  func markOthersReported(by service: AnyObject) -> DALError {
    var marked = self
    marked.others = others.map { $0.markReported(by: service) }
    return marked
  }

  /// An error that the caller's own block threw; nil for every other failure.
  public var blockError: (any Error)? {
    if case .block(let error) = code { error } else { nil }
  }
}

extension DALError {
  /// A sentence that is safe to log: it names the failure and the remedy, and no values of rows. An error that the caller's
  /// own block threw describes itself.
  public var description: String {
    switch code {
    case .cannotOpen(let error): "The store could not be opened. Its files are unchanged: \(error)"
    case .validation(let error):
      "Nothing was saved, because objects do not satisfy their model:\n\(error)"
    case .store(let error):
      "The store \(error.isRefusal ? "refused" : "failed") the \(operation.rawValue): \(error)"
        + (error.isRetryable && operation == .write
          ? " Nothing was written. Write again then." : "")
    case .context(let error): "\(error)"
    case .predicate(let error): "\(error)"
    case .observation(let error): "\(error)"
    case .mutationInRead(let ids):
      """
      A read block changed \(ids.prefix(5).map { "\($0)" }.joined(separator: ", "))\
      \(ids.count > 5 ? " and \(ids.count - 5) more" : ""). The changes were undone; make them in a \
      write block.
      """
    case .notDurable(let error) where error.code == .moved:
      "A write is accepted, but its commit failed: \(error) The service keeps the write and commits it if the file "
        + "comes back."
    case .notDurable(let error):
      "A write is accepted, but its commit failed: \(error) The service keeps the write and tries the commit "
        + "again by itself, so do not write it again."
    case .lost(let write): "\(write)"
    case .tooManyWrites(let limit):
      "\(limit) writes wait already, and a block or the main context's thread must not wait for room. Nothing "
        + "was written. Use await write, or raise pendingWriteLimit."
    case .circularWait(let names): describeCircle(names)
    case .stopping:
      "The process is ending, and the service refuses writes. Await the task that writes before main returns."
    case .cancelled:
      operation == .read
        ? "The task was cancelled, so its block did not run, or its fetch was stopped."
        : "The task was cancelled before its block started, so the block did not run."
    case .closed: "The service is closed, and refuses reads and writes. Make a new service."
    // The program knows what its own error means.
    case .block(let error): error.ownDescription
    }
  }
}

extension DALError {
  private func describeCircle(_ names: [String]) -> String {
    "The \(operation.rawValue) would never end: it waits for \(names.joined(separator: ", which waits for ")), which waits for "
      + "the block that called it. Nothing was done. Call it after the outer block, or use writeAsync."
  }
}

extension StoreError {
  /// The store works, and refuses the request.
  fileprivate var isRefusal: Bool {
    switch code {
    case .conflict, .constraint, .readOnly, .unsupported: true
    default: false
    }
  }
}

extension DALError.Code {
  /// Refuses to compare codes, which carry their causes.
  @available(
    *, unavailable,
    message: "a code carries its cause; write if case .validation(let error) = error.code"
  )
  public static func == (left: Self, right: Self) -> Bool {
    trap("The compiler refuses this comparison.")
  }
}
