// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreData
import Skopelos

/// Stands for Skiathos, Skopelos's twin for Objective-C, as the importer spells its interface.
class Skiathos: Skopelos {
  required convenience init(dataModelFileName name: String, isInMemory: Bool) {
    let url = try! UsualFolder.model(name, of: "Skiathos")
    if isInMemory { self.init(inMemoryStack: url) } else { self.init(sqliteStack: url) }
  }

  class func setupInMemoryStack(withDataModelFileName name: String) -> Self {
    Self(dataModelFileName: name, isInMemory: true)
  }

  class func setupSqliteStack(withDataModelFileName name: String) -> Self {
    Self(dataModelFileName: name, isInMemory: false)
  }

  /// The property with a block that makes chains in dot notation.
  var write: (@escaping (NSManagedObjectContext) -> Void) -> Skiathos {
    { changes in self.writeSync(changes) }
  }

  override func handleError(_ error: NSError) { handleError(error as any Error) }

  func handleError(_ error: any Error) {}
}

extension NSManagedObject {
  class func create(in context: NSManagedObjectContext) -> Self { SK_create(context) }
  class func all(in context: NSManagedObjectContext) -> [Any] { SK_all(context) }
  func `in`(_ context: NSManagedObjectContext) -> Self? { SK_inContext(context) }
  func delete(in context: NSManagedObjectContext) { SK_remove(context) }
}
