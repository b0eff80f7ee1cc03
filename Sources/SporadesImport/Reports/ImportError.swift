// SPDX-License-Identifier: MIT
public import SporadesModel

/// The reason why an import or an export ended early.
public struct ImportError: DescribedError, Sendable {
  /// The kind of failure, to branch on.
  public let code: Code
  /// The place in the input; nil if the failure has none.
  public let place: InputPlace?
  /// The sentence that says what happened, and what to do.
  public let detail: String
  /// The work that had been done until then; nil if none had begun.
  public internal(set) var report: ImportReport?
  /// The error of the service or of the program's own code that ended the work; nil if there is none.
  public let underlying: (any Error)?

  /// Describes a failure.
  public init(
    _ code: Code, at place: InputPlace? = nil, _ detail: String, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.place = place
    self.detail = detail
    self.underlying = underlying
  }

  /// A kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// The file can not be opened, read or written.
    case file
    /// The bytes are not UTF-8, which JSON and CSV need here.
    case encoding
    /// The bytes are not JSON or CSV from some place on, or they end too early.
    case malformed
    /// A record is longer, or nested deeper, than the request allows.
    case tooLarge
    /// The request does not fit the model.
    case request
    /// Rows were refused, and the request asked for all or nothing. Nothing was written.
    case refusedRows
    /// The task was cancelled. The rows before stay, unless the request asked for all or nothing.
    case cancelled
    /// The store or the service refused or failed.
    case store
  }
}

extension ImportError {
  public var description: String { place.map { "\($0): \(detail)" } ?? detail }
}
