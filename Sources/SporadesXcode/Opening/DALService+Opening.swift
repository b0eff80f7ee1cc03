// SPDX-License-Identifier: MIT
public import FoundationEssentials
import Sporades
public import SporadesDAL
public import SporadesGraph
import SporadesSQLite

extension DALService {
  /// Makes a service over an existing SQLite file with the model that the file carries within itself, as files of
  /// Apple's frameworks do since iOS 9. A file without such a model is opened by its tables, for reading only.
  public convenience init(
    openingStoreAt url: URL, classes: [ManagedObject.Type] = [], options: Options = Options()
  ) {
    self.init(options: options) {
      try options.launchSetup.stack(openingStoreAt: url, classes, CacheFolder())
    }
  }
}

extension LaunchSetup {
  /// Opens the stack of a service over an existing file with the model that is found there, or over an empty stand-in
  /// with that model.
  fileprivate func stack(
    openingStoreAt place: URL, _ classes: [ManagedObject.Type],
    _ cache: @autoclosure () -> CacheFolder
  ) throws -> DataStack {
    if case .usual = self { return try DataStack(openingStoreAt: place, classes: classes) }
    return try stack(
      at: place, StoreModel(ofStoreAt: place).model, classes, SQLiteStoreOptions(), cache())
  }
}
