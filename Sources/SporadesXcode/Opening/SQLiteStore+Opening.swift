// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesSQLite
public import SporadesStore

extension SQLiteStore {
  /// Opens the store at a file URL with the model that it carries within itself. A store without such a model is opened
  /// by its tables, for reading only; see `StoreModel`. No store is created.
  public convenience init(
    openingStoreAt url: URL, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(url: url, opening: StoreModel(ofStoreAt: url), options: options)
  }

  /// Opens the store at a file URL with the model that was found for it.
  public convenience init(
    url: URL, opening found: StoreModel, options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws(StoreError) {
    try self.init(url: url, model: found.model, options: found.options(options))
  }
}
