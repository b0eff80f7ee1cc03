// SPDX-License-Identifier: MIT

/// What a store is, besides its rows.
package struct OpenedStore {
  let identifier: String
  /// The number of the migrations that the store has had.
  var migrations: Int64
  var keepsHistory = false

  package init(identifier: String, migrations: Int64 = 0) {
    (self.identifier, self.migrations) = (identifier, migrations)
  }
}
