// SPDX-License-Identifier: MIT
public import SporadesContainers
public import SporadesGraph
import SporadesModel
import SporadesModelFiles

extension PersistentContainer {
  /// Makes a container for the model file of the same name, beside the program or in the working folder.
  public convenience init(name: String, classes: [ManagedObject.Type] = []) throws {
    self.init(
      name: name, try ManagedObjectModel(named: name), classes, nil, CacheFolder(),
      plan: ModelFileMigration(modelNamed: name))
  }
}
