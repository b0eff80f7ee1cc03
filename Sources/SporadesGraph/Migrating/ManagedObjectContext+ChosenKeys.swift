// SPDX-License-Identifier: MIT
package import SporadesModel

extension ManagedObjectContext {
  /// Inserts an object under a key that nobody else uses.
  package func insert(_ shape: EntityShape, primaryKey: Int64) -> ManagedObject {
    checkQueue()
    let home = home(numbered: shape.number)
    let key = RowKey(entity: shape.number, primaryKey: primaryKey)
    let object = home.makeObject(ObjectSeed(home: home, key: key))
    insertRow(of: object)
    register(object)
    return object
  }

  /// A new object has the key, and is not saved yet.
  package func registeredNew(_ key: RowKey) -> Bool { registered(key)?.isInserted ?? false }
}
