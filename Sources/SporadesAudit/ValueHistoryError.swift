// SPDX-License-Identifier: MIT

/// A question for former values that a history cannot answer.
public struct ValueHistoryError: Error, Equatable, CustomStringConvertible {
  /// The kinds of such questions.
  public enum Code: Equatable, Sendable {
    /// The attribute does not ask for its former values, or its values are not in its row.
    case notKept
    /// The object was never saved.
    case temporaryObject
    /// The store of the object keeps no former values.
    case store
  }

  /// The kind of the mistake.
  public let code: Code
  /// The mistake in a sentence, and the way out.
  public let description: String
}
