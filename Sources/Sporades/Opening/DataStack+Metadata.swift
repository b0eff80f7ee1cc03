// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesGraph
import SporadesSQLite
public import SporadesStore

extension DataStack {
  /// Returns the metadata of the store in a file, whatever its model. The call makes no stack and changes nothing.
  public static func metadata(ofStoreAt url: URL) throws(StoreError) -> [String: MetadataValue] {
    try SQLiteStore.metadata(ofStoreAt: url)
  }

  /// Replaces the metadata of the store in a file that is not open, whatever its model. The call makes no stack.
  /// Core Data's own entries stay if `metadata` lacks them.
  public static func setMetadata(
    _ metadata: [String: MetadataValue], ofStoreAt url: URL
  ) throws(StoreError) {
    try SQLiteStore.setMetadata(metadata, ofStoreAt: url)
  }
}
