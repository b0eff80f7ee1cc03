// SPDX-License-Identifier: MIT
public import SporadesModel

/// The result, or the progress, of an export.
public struct ExportReport: Hashable, Sendable {
  /// The number of objects that were written.
  public internal(set) var rows = 0
  /// The number of objects that the request finds.
  public internal(set) var totalRows = 0
  /// The number of bytes that were written.
  public internal(set) var bytes = 0
  /// The relationships that were left out, with the reasons: their objects have no key, or the form can not hold it.
  public internal(set) var omitted: [OmittedProperty] = []

  /// The part of the objects that was written, from 0 to 1.
  public var fraction: Double { totalRows == 0 ? 1 : Double(rows) / Double(totalRows) }
}

/// A relationship that an export left out, and why.
public struct OmittedProperty: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String
  /// The sentence that says why, and what to do.
  public let reason: String
}

extension OmittedProperty: CustomStringConvertible {
  public var description: String { "\(name): \(reason)" }
}

/// The reason why an export ended early. No file was made or changed.
public struct ExportError: DescribedError, Sendable {
  /// The kind of failure, to branch on.
  public let code: Code
  /// The sentence that says what happened, and what to do.
  public let detail: String
  /// The error behind this one; nil if there is none.
  public let underlying: (any Error)?

  /// Describes a failure.
  public init(_ code: Code, _ detail: String, underlying: (any Error)? = nil) {
    self.code = code
    self.detail = detail
    self.underlying = underlying
  }

  /// A kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// The file can not be written.
    case file
    /// The request or the mapping does not fit the model, or can not hold an object.
    case request
    /// The task was cancelled.
    case cancelled
    /// The store or the service refused or failed.
    case store
    /// The program's own code threw.
    case receiver
  }
}

extension ExportError {
  public var description: String { detail }
}
