// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesGraph
import SporadesSQLite
public import SporadesStore

extension DataStack {
  /// The metadata of the store in a file, whatever model wrote it; no stack is made, and the file is
  /// only read.
  public static func metadata(ofStoreAt url: URL) throws(StoreError) -> [String: MetadataValue] {
    try SQLiteStore.metadata(ofStoreAt: url)
  }

  /// Replaces the metadata of the store in a file that is not open, whatever model wrote it; no stack is
  /// made. Entries of Core Data's that are left out stay.
  public static func setMetadata(
    _ metadata: [String: MetadataValue], ofStoreAt url: URL
  ) throws(StoreError) {
    try SQLiteStore.setMetadata(metadata, ofStoreAt: url)
  }
}
