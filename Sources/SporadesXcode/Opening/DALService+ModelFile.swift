// SPDX-License-Identifier: MIT
import Sporades
public import SporadesDAL
public import SporadesGraph
import SporadesModel
import SporadesModelFiles
public import SporadesSQLite

extension DALService {
  /// Makes a service over a SQLite file in the application's data folder, for the model file of the same name:
  /// `<name>.xcdatamodeld`, beside the program or in the working folder.
  public convenience init(
    sqlite name: String, classes: [ManagedObject.Type] = [], options: Options = Options(),
    storeOptions: SQLiteStoreOptions = SQLiteStoreOptions()
  ) {
    self.init(options: options) {
      try StoreName.check(name)
      let model = try ManagedObjectModel(named: name)
      var storeOptions = storeOptions
      storeOptions.migrationPlan =
        storeOptions.migrationPlan ?? ModelFileMigration(modelNamed: name)
      return try options.launchSetup.stack(named: name, model, classes, storeOptions)
    }
  }
}
