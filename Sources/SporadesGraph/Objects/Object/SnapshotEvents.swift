// SPDX-License-Identifier: MIT

/// Why an object shows values it had before; Core Data's numbers.
public struct SnapshotEvents: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let undoInsertion = SnapshotEvents(rawValue: 2)
  public static let undoDeletion = SnapshotEvents(rawValue: 4)
  public static let undoUpdate = SnapshotEvents(rawValue: 8)
  public static let rollback = SnapshotEvents(rawValue: 16)
  public static let refresh = SnapshotEvents(rawValue: 32)
  public static let mergePolicy = SnapshotEvents(rawValue: 64)
}
