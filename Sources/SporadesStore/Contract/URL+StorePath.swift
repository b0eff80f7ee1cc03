// SPDX-License-Identifier: MIT
package import FoundationEssentials

extension URL {
  /// The path of a store's file. Throws for the URL of something that is no file, whose path would be a place in the
  /// root of the disk.
  package var storePath: String {
    get throws(StoreError) {
      guard let scheme, scheme != "file" else { return path }
      throw StoreError(
        .cannotOpen,
        "\(self) is the URL of no file. Name the place of a store with URL(fileURLWithPath:).")
    }
  }
}
