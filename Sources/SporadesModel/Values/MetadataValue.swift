// SPDX-License-Identifier: MIT

/// A value of a store's metadata, of one of the types of property lists.
public indirect enum MetadataValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A truth value.
  case boolean(Bool)
  /// A point in time, in seconds since 2001.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Several values.
  case list([MetadataValue])
  /// Values by keys.
  case dictionary([String: MetadataValue])

  /// An entry with the key describes the store itself, and does not belong to the application.
  package static func isCoreData(key: String) -> Bool {
    ["NSStore", "NSPersistence", "_NS"].contains { key.hasPrefix($0) }
  }
}
