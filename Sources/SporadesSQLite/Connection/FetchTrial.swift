// SPDX-License-Identifier: MIT

/// Finds out whether the fetches of one form are served better by the cache of rows.
///
/// A fetch can read all of its rows, or only their keys, and take the rows from the cache. The second is faster where the
/// cache has most of the rows. While a form reads rows, some of them are compared with the cache and kept there, which
/// costs little, and tells how it would fare.
final class FetchTrial {
  /// The role of the next fetch.
  enum Way {
    case rows
    /// Compares the rows with the cache and keeps them there.
    case rowsToKeep
    case keys
  }

  /// Whether an index holds the keys of such fetches; nil if nobody has asked.
  var isCovered: Bool?
  /// The part of the rows that the cache had lately, in thousandths.
  private var share = 0
  private var samples = 0
  /// The number of fetches that leave the cache alone.
  private var resting = 0

  private static let enough = 750
  private static let few = 250
  /// A form has this many fetches to fill the cache with its rows. A form without hope then tries one fetch in sixteen.
  private static let patience = 512
  private static let rest = 15
  private static let restOfLarge = 255

  func next() -> Way {
    guard isCovered != false else { return .rows }
    if share >= Self.enough { return .keys }
    guard resting == 0 else {
      resting -= 1
      return .rows
    }
    return .rowsToKeep
  }

  /// Notes how many rows of a fetch the cache had.
  func note(_ found: Int, of count: Int) {
    guard count > 0 else { return }
    share += (found * 1_000 / count - share) / 8
    samples += 1
    if samples > Self.patience, share < Self.few { resting = Self.rest }
  }

  /// Notes a fetch of more rows than the cache takes from one.
  func noteTooMany() {
    share = 0
    resting = Self.restOfLarge
  }
}
