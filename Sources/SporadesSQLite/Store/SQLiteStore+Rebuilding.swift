// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel
package import SporadesStore

extension SQLiteStore {
  /// Makes a store from a file that nobody else writes, and puts it in a place. It has the identity and the metadata of the
  /// former store, and `fill` makes its objects.
  package static func rebuild(
    from source: URL, _ sourceModel: ManagedObjectModel, _ sourceOptions: SQLiteStoreOptions,
    in place: URL, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    _ fill: (_ old: any PersistentStore, _ new: any PersistentStore) throws -> Void
  ) throws {
    let draft = place.appendingPathExtension("migrating")
    try removeDraft(at: draft)
    do {
      var reading = sourceOptions
      (reading.isReadOnly, reading.createsFile) = (true, false)
      let old = try SQLiteStore(url: source, model: sourceModel, options: reading)
      do { try make(draft, model, options, from: old, fill) } catch {
        // The first error says what happened; the store was only read.
        try? old.close()
        throw error
      }
      try old.close()
      try replace(storeAt: place, withDraftAt: draft)
    } catch {
      // The first error says what happened; the next migration removes a draft that stays.
      try? removeDraft(at: draft)
      throw error
    }
  }

  /// Makes the draft.
  private static func make(
    _ draft: URL, _ model: ManagedObjectModel, _ options: SQLiteStoreOptions,
    from old: SQLiteStore,
    _ fill: (_ old: any PersistentStore, _ new: any PersistentStore) throws -> Void
  ) throws {
    var options = options
    (options.isReadOnly, options.createsFile) = (false, true)
    options.identifier = old.identifier
    let new = try SQLiteStore(url: draft, model: model, options: options)
    do {
      try fill(old, new)
      try new.takeMetadata(of: old)
      if options.persistentHistory != .off { try new.succeedHistory(of: old) }
      try new.commit(.immediate)
    } catch {
      // The first error says what happened; the draft is thrown away.
      try? new.close()
      throw error
    }
    try new.close()
  }
}
