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
}
