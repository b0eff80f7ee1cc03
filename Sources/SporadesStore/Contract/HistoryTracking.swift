// SPDX-License-Identifier: MIT

/// Whether a store keeps a history of its saves.
public enum HistoryTracking: Hashable, Sendable {
  /// A store with a history goes on having one, and a new store has none.
  case asInFile
  /// The store has a history from now on. A file gets the tables that Core Data makes.
  case on
  /// The store has no history. As in Core Data, a file that has one is opened for reading only, because a save would
  /// leave a gap in it. A server's store that has one is refused.
  case off
}
