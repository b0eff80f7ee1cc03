// SPDX-License-Identifier: MIT

/// A row that an import did not take, with its place and the reason.
public struct ImportFailure: Hashable, Sendable {
  /// The number of the row in its input, from 1. The header of a CSV file is no row.
  public let row: Int
  /// The place of the mistake; nil for a row that came from no file.
  public let place: InputPlace?
  /// The key or the keys that lead to the mistake inside the row: `pets[2].name`; empty for the whole row.
  public let path: String
  /// The sentence that says what is wrong, and what to do.
  public let reason: String

  /// Describes a row that was not taken.
  public init(row: Int, place: InputPlace?, path: String = "", reason: String) {
    self.row = row
    self.place = place
    self.path = path
    self.reason = reason
  }
}

extension ImportFailure: CustomStringConvertible {
  public var description: String {
    let position = place.map { "\($0)" } ?? "row \(row)"
    return path.isEmpty ? "\(position): \(reason)" : "\(position), \(path): \(reason)"
  }
}
