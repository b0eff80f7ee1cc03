// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// A hint about patterns of SQL in a predicate. `%` is a sign like others there, so such a pattern is not
/// refused.
enum LikeHint {
  private static let hint = Hint(
    "a predicate has a pattern with % and without * and ?. In LIKE, * stands for any text and ? for one "
      + "character; % and _ mean themselves.")

  /// Gives the hint if the predicate has a pattern that looks like one of SQL.
  static func give(for predicate: FetchPredicate) {
    switch predicate {
    case .constant, .open: break
    case .comparison(let comparison):
      guard comparison.comparator == .like, case .constant(.string(let text)) = comparison.right,
        text.contains("%"), !text.contains("*"), !text.contains("?")
      else { return }
      hint.give()
    case .not(let inner): give(for: inner)
    case .and(let parts), .or(let parts): for part in parts { give(for: part) }
    }
  }
}
