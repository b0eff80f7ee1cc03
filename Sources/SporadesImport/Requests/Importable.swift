// SPDX-License-Identifier: MIT
public import SporadesGraph

/// A class whose objects take part in their import.
///
/// Every method has an implementation that changes nothing. An error that a method throws refuses the row. If the store
/// refuses a group of rows, the import repeats the group without the bad ones; so a hook can run more than once for a
/// row. Change nothing but the object and its context.
public protocol Importable: ManagedObject {
  /// Whether the object takes the record. A new object that takes none is not made. Called before any value is set.
  func shouldImport(_ record: ImportRecord) throws -> Bool
  /// Called before the values are set.
  func willImport(_ record: ImportRecord) throws
  /// Called for each property that the record has. True says that the property needs nothing more: because the method
  /// has set it, or because the property shall stay as it is.
  func importValue(_ value: ImportValue, forKey name: String) throws -> Bool
  /// Called after all values were set.
  func didImport(_ record: ImportRecord) throws
}

extension Importable {
  public func shouldImport(_ record: ImportRecord) throws -> Bool { true }
  public func willImport(_ record: ImportRecord) throws {}
  public func importValue(_ value: ImportValue, forKey name: String) throws -> Bool { false }
  public func didImport(_ record: ImportRecord) throws {}
}
