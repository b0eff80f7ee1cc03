// SPDX-License-Identifier: MIT
import SporadesModel

/// A question that a store can be asked for its plan of.
public enum ExplainedQuestion: Sendable {
  /// The rows that satisfy a fetch.
  case rows(StoreFetch)
  /// The keys of these rows.
  case keys(StoreFetch)
  /// Values of these rows, or of groups of them.
  case table(TableQuestion)

  /// The rows that the question concerns.
  public var fetch: StoreFetch {
    switch self {
    case .rows(let fetch), .keys(let fetch): fetch
    case .table(let question): question.fetch
    }
  }
}
