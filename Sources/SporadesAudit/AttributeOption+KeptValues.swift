// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension AttributeOption {
  /// The history of a SQLite store keeps the values before and after each change, for `valueHistory(of:_:)`.
  public static let keepsValuesInHistory = AttributeOption(
    ".keepsValuesInHistory", notes: [AttributeDescription.keepsValuesKey: "YES"])
}
