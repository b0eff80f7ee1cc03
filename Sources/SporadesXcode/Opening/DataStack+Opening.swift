// SPDX-License-Identifier: MIT
public import Dispatch
public import FoundationEssentials
public import SporadesGraph
import SporadesModel
public import SporadesSQLite

extension DataStack {
  /// Opens a stack over a SQLite file with the model that the file carries within itself, as files of Apple's
  /// frameworks do since iOS 9. Entities without a class in `classes` have plain managed objects.
  ///
  /// A file without such a model is opened by its tables, for reading only: `store.isReadOnly` is true then, and a save
  /// fails with the reason. `StoreModel` tells in advance what the stack will show. A class whose properties do not fit
  /// the model is refused.
  public convenience init(
    openingStoreAt url: URL, classes: [ManagedObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), mainQueue: DispatchQueue? = nil
  ) throws {
    let found = try StoreModel(ofStoreAt: url)
    try found.model.checkFit(of: classes)
    let store = try SQLiteStore(url: url, opening: found, options: options)
    self.init(store: store, classes: classes, mainQueue: mainQueue)
  }
}
