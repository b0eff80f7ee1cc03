// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// An error whose description is a sentence for people. Foundation's `localizedDescription` shows the same sentence.
public protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
  /// The description.
  public var errorDescription: String? { description }
  /// Nil, because the description tells the reason.
  public var failureReason: String? { nil }
  /// Nil, because the description tells what to do.
  public var recoverySuggestion: String? { nil }
  /// Nil.
  public var helpAnchor: String? { nil }
}

extension Error {
  /// The error as its author describes it: by `errorDescription`, else by its description.
  package var ownDescription: String {
    (self as? any LocalizedError)?.errorDescription ?? "\(self)"
  }
}
