// SPDX-License-Identifier: MIT
public import FoundationEssentials
import Sporades
public import SporadesContainers
public import SporadesGraph
import SporadesSQLite

extension PersistentContainer {
  /// Makes a container for an existing file, with the model that the file carries within itself, as files of Apple's
  /// frameworks do since iOS 9. The name is the file's, without its extension.
  ///
  /// A file without such a model is opened by its tables, for reading only; see `StoreModel`. The initializer reads the
  /// model, and the load opens the file.
  public convenience init(
    openingStoreAt url: URL, classes: [ManagedObject.Type] = []
  ) throws {
    let found = try StoreModel(ofStoreAt: url)
    try found.model.checkFit(of: classes)
    self.init(
      name: url.deletingPathExtension().lastPathComponent, found.model, classes, nil, CacheFolder())
    var description = PersistentStoreDescription(url: url)
    description.sqliteOptions = found.options(SQLiteStoreOptions())
    persistentStoreDescriptions = [description]
  }
}
