// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesGraph
public import SporadesModel
public import SporadesStore

/// What failed in a service, and why.
///
/// Branch on ``code``; ``operation`` says what was being done.
public struct DALError: Error, Sendable {
  /// The kind of the failure, with its cause.
  public let code: Code
  /// The operation that failed.
  public let operation: Operation
  /// Names the write that was accepted all the same, where the code is ``Code-swift.enum/notDurable(_:)`` or
  /// ``Code-swift.enum/lost(_:)``. Ask it what became of the write before you write again.
  public internal(set) var receipt: WriteReceipt?
  /// What else failed in the same block.
  private var others: [DALError] = []
  /// The service that has told of the error.
  private(set) var teller: ObjectIdentifier?

  /// An error of a service that is written in terms of this one.
  public init(_ code: Code, during operation: Operation) {
    self.init(code, during: operation, receipt: nil)
  }

  init(_ code: Code, during operation: Operation, receipt: WriteReceipt?) {
    self.code = code
    self.operation = operation
    self.receipt = receipt
  }

  /// The operation of a service in which something failed.
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
    /// The service removed all rows.
    case reset
    /// The service was closed.
    case close
  }

  /// The kind of a failure.
  public enum Code: Sendable {
    /// The store could not be opened; it was left as it is.
    case cannotOpen(any Error)
    /// Objects do not satisfy their model; nothing was saved.
    case validation(ValidationError)
    /// The store refused or failed.
    case store(StoreError)
    /// A context refused or failed.
    case context(ContextError)
    /// A predicate or order does not fit the model.
    case predicate(FetchPredicateError)
    /// A read block changed these objects; the changes were undone.
    case mutationInRead([ManagedObjectID])
    /// The write was accepted and is kept, but could not be committed yet. It will be tried again.
    case notDurable(StoreError)
    /// The write was accepted, its commit failed, and others made it impossible before the next attempt.
    case lost(LostWrite)
    /// As many writes wait as ``DALService/Options/pendingWriteLimit`` allows, and the caller must not
    /// wait for room; nothing was done.
    case tooManyWrites(limit: Int)
    /// The service takes no more writes, since the process is ending.
    case stopping
    /// The task that asked was cancelled before its turn came; nothing was done.
    case cancelled
    /// The service was closed.
    case closed
    /// The block threw an error of its own; its changes were discarded.
    case block(any Error)
  }

  /// The error of a failed operation, whatever it was thrown as.
  init(_ error: any Error, during operation: Operation) {
    self =
      switch error {
      case let error as DALError: error
      case let error as ValidationError: DALError(.validation(error), during: operation)
      case let failures as BlockFailures: DALError(failures, during: operation)
      case let error as StoreError where error.code == .closed: DALError(.closed, during: operation)
      case let error as StoreError:
        // A store refuses in its own words; what does not fit is the predicate or the order.
        if let cause = error.underlying as? FetchPredicateError {
          DALError(.predicate(cause), during: operation)
        } else {
          DALError(.store(error), during: operation)
        }
      case ContextError.notDurable(let error, let receipt):
        DALError(.notDurable(error), during: .commit, receipt: receipt)
      case let error as ContextError: DALError(.context(error), during: operation)
      case let error as FetchPredicateError: DALError(.predicate(error), during: operation)
      default: DALError(.block(error), during: operation)
      }
  }

  private init(_ failures: BlockFailures, during operation: Operation) {
    self = DALError(failures.first, during: operation)
    others = failures.others.map { DALError($0, during: operation) }
  }

  /// The error, and what else failed in the same block, without what the service told before.
  func parts(for service: AnyObject) -> [DALError] {
    ([self] + others).filter { $0.teller != ObjectIdentifier(service) }
  }

  func told(by service: AnyObject) -> DALError {
    var told = self
    told.teller = ObjectIdentifier(service)
    return told
  }

  /// What a block or a caller made of Swift threw, where the failure was theirs.
  public var blockError: (any Error)? {
    if case .block(let error) = code { error } else { nil }
  }
}

extension DALError: CustomStringConvertible {
  public var description: String {
    switch code {
    case .cannotOpen(let error): "The store could not be opened, and was left as it is: \(error)"
    case .validation(let error):
      "Nothing was saved, since objects do not satisfy their model:\n\(error)"
    case .store(let error):
      "The store \(error.isRefusal ? "refused" : "failed") the \(operation.rawValue): \(error)"
    case .context(let error): "\(error)"
    case .predicate(let error): "\(error)"
    case .mutationInRead(let ids):
      """
      A read block changed \(ids.prefix(5).map { "\($0)" }.joined(separator: ", "))\
      \(ids.count > 5 ? " and \(ids.count - 5) more" : ""). The changes were undone; make them in a \
      write block.
      """
    case .notDurable(let error):
      "A write was accepted but could not be committed yet; it is kept and will be tried again: \(error)"
    case .lost(let write): "\(write)"
    case .tooManyWrites(let limit):
      "\(limit) writes wait already, and this one was asked for where nobody may wait: inside a block, or on "
        + "the main context's thread. Nothing was done. Use await write, or raise pendingWriteLimit."
    case .stopping: "The process is ending, and the service takes no more writes."
    case .cancelled: "The task was cancelled before its turn came, and nothing was done."
    case .closed: "The service was closed, and reads and writes nothing more. Make a new one."
    case .block(let error): "The block threw, and its changes were discarded: \(error)"
    }
  }
}

extension StoreError {
  /// Nothing is wrong with the store: it does not take what it was given.
  fileprivate var isRefusal: Bool {
    switch code {
    case .conflict, .constraint, .readOnly, .unsupported: true
    default: false
    }
  }
}
