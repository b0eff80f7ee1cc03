// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel

extension RowPage {
  /// The bytes of a blob slot, wherever they lie; nil where it is null.
  package func bytes(_ index: Int, slot: Int) throws(StoreError) -> Data? {
    do { return try data(index, slot: slot) } catch { throw StoreError(reading: error) }
  }
}

extension StoreError {
  /// The error of a large value that was to be read.
  package init(reading error: any Error) {
    self =
      error as? StoreError
      ?? StoreError(.io, "A large value can not be read.", underlying: error)
  }
}
