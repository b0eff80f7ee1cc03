// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel

extension RowPage {
  /// Reads the bytes of a blob slot, inside or outside the page; nil if the slot is nil.
  package func bytes(_ index: Int, slot: Int) throws(StoreError) -> Data? {
    do { return try data(index, slot: slot) } catch { throw StoreError(reading: error) }
  }
}

extension StoreError {
  /// Makes the error of a large value that cannot be read.
  package init(reading error: any Error) {
    self =
      error as? StoreError
      ?? StoreError(.io, "A large value cannot be read.", underlying: error)
  }
}
