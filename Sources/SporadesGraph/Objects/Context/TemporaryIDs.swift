// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// The temporary ids of one context that somebody asked for, and what became of them.
///
/// Nobody asks for the ids of most new objects, and those cost nothing here.
struct TemporaryIDs {
  /// The permanent keys by temporary primary key; `.some(nil)` until the first save.
  private var keys: [Int64: RowKey?] = [:]

  /// Whether nobody has asked for an id.
  var isEmpty: Bool { keys.isEmpty }

  /// Notes that somebody knows the temporary key.
  mutating func note(_ key: RowKey) {
    if keys[key.primaryKey] == nil { keys[key.primaryKey] = .some(nil) }
  }

  /// Notes the permanent keys that objects have in place of their former ones.
  mutating func settle(_ former: [RowKey], as objects: [ManagedObject]) {
    for (key, object) in zip(former, objects)
    where keys[key.primaryKey] != nil && !object.key.isTemporary {
      keys[key.primaryKey] = object.key
    }
  }

  /// Notes that another row stands for an object.
  mutating func replace(_ key: RowKey, by other: RowKey) {
    for (temporary, known) in keys where known == key { keys[temporary] = other }
  }

  /// The permanent key in place of a temporary one; nil if the context knows none.
  func permanentKey(for key: RowKey) -> RowKey? { keys[key.primaryKey] ?? nil }
}

extension ManagedObjectContext {
  /// The permanent id of an object whose temporary id was asked for before its first save. Every
  /// other id stays as it is.
  func permanentID(of id: ManagedObjectID) -> ManagedObjectID {
    guard id.isTemporaryID, id.scope == stack.scope,
      let key = temporaryIDs.permanentKey(for: id.key)
    else { return id }
    return ManagedObjectID(key: key, scope: id.scope)
  }

  /// Notes a temporary id that somebody asks for. Only the thread that holds the context may write
  /// here; an object's id may be read on others.
  func noteTemporaryID(_ key: RowKey) {
    if access.isHeldByCurrentThread { temporaryIDs.note(key) }
  }
}
