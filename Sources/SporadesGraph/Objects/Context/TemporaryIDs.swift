// SPDX-License-Identifier: MIT
import SporadesModel

/// The temporary ids of one context that somebody asked for, and what became of them.
///
/// Nobody asks for the ids of most new objects, and those cost nothing here. Any thread may ask.
final class TemporaryIDs: Sendable {
  /// The permanent keys by temporary primary key; `.some(nil)` until the first save.
  private let keys = Guarded<[Int64: RowKey?]>([:])

  /// Whether nobody has asked for an id.
  var isEmpty: Bool { keys.withLock { $0.isEmpty } }

  /// Notes that somebody knows the temporary key.
  func note(_ key: RowKey) {
    keys.withLock { if $0[key.primaryKey] == nil { $0[key.primaryKey] = .some(nil) } }
  }

  /// Notes the permanent keys that objects have in place of their former ones.
  func settle(_ former: [RowKey], as objects: [ManagedObject]) {
    guard !former.isEmpty else { return }
    keys.withLock { keys in
      for (key, object) in zip(former, objects)
      where keys[key.primaryKey] != nil && !object.key.isTemporary {
        keys[key.primaryKey] = object.key
      }
    }
  }

  /// Notes that another row stands for an object.
  func replace(_ key: RowKey, by other: RowKey) {
    keys.withLock { keys in
      for (temporary, known) in keys where known == key { keys[temporary] = other }
    }
  }

  /// The permanent key in place of a temporary one; nil if the context knows none.
  func permanentKey(for key: RowKey) -> RowKey? {
    keys.withLock { $0[key.primaryKey] ?? nil }
  }
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
}
