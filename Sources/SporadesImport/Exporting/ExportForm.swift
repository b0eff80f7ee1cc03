// SPDX-License-Identifier: MIT

/// The form of an export.
public enum ExportForm: Hashable, Sendable {
  /// One object of JSON on each line.
  case jsonLines
  /// An array of JSON, with one object on each line.
  case json
  /// CSV with the names of the columns on the first line.
  case csv(CSVForm = CSVForm())
}
