// SPDX-License-Identifier: MIT
public import SporadesDAL
public import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore

extension DALService {
  /// Makes the search indexes that are missing or out of date, and keeps them in step from now on. The first search does the
  /// same.
  public func prepareSearch() throws(DALError) {
    try forEachIndexedStore(
      inFile: { store throws(StoreError) in try store.prepareSearch() },
      elsewhere: { keeper throws(StoreError) in try keeper.prepare() })
  }

  /// Makes the search indexes anew, some thousand rows in a transaction, so that other writes go on. `progress` gets the part
  /// that is done, from 0 to 1, and ends the work by an error.
  public func rebuildSearchIndex(
    _ progress: (Double) throws -> Void = { _ in }
  ) throws(DALError) {
    try withoutActuallyEscaping(progress) { (progress) throws(DALError) in
      try forEachIndexedStore(
        inFile: { store throws(StoreError) in try store.rebuildSearchIndex(progress) },
        elsewhere: { keeper throws(StoreError) in try keeper.rebuild(progress) })
    }
  }

  /// Compares the search indexes with the rows; an empty result means that both agree.
  public func searchIndexProblems() throws(DALError) -> [String] {
    var problems: [String] = []
    try forEachIndexedStore(
      inFile: { store throws(StoreError) in problems += try store.searchIndexProblems() },
      elsewhere: { keeper throws(StoreError) in problems += try keeper.problems() })
    return problems
  }

  /// Removes the search indexes with all their tables and triggers. The next search makes them again.
  public func removeSearchIndex() throws(DALError) {
    try forEachIndexedStore(
      inFile: { store throws(StoreError) in try store.removeSearchIndex() },
      elsewhere: { keeper throws(StoreError) in try keeper.remove() })
  }

  private func forEachIndexedStore(
    inFile: (SQLiteStore) throws(StoreError) -> Void,
    elsewhere: (any SearchKeeper) throws(StoreError) -> Void
  ) throws(DALError) {
    do {
      for store in try stack(for: .read).persistentStores {
        if let file = store as? SQLiteStore {
          try inFile(file)
        } else {
          guard let keeper = store.searchKeeper else { throw store.lackOfIndex }
          try elsewhere(keeper)
        }
      }
    } catch {
      throw reportHere(DALError(error, during: .read))
    }
  }
}

extension PersistentStore {
  fileprivate var lackOfIndex: StoreError {
    StoreError(
      refusing: SearchError(
        .store,
        "The store \(placeText) is a \(type(of: self)), which keeps no search index. Searches read all its texts."
      ))
  }
}

extension ManagedObjectContext {
  /// The words in searchable texts of a class that begin with a text, those in most objects first, without case and marks.
  public func searchSuggestions<Object: ManagedObject>(
    for beginning: String, in type: Object.Type, limit: Int = 10
  ) throws -> [String] {
    let shape = try shape(for: type)
    return try readStore(within: nil) { source, _ in
      if let keeper = source.store.searchKeeper {
        return try keeper.suggestions(for: beginning, in: shape, limit: limit)
      }
      guard let store = source.store as? SQLiteStore else { throw source.store.lackOfIndex }
      return try store.searchSuggestions(for: beginning, in: shape, limit: limit)
    }
  }
}

extension ActiveRecord {
  /// The words in searchable texts of the class that begin with a text, those in most objects first: `Article.suggest("gr")`.
  public static func suggest<Context: FinderContext>(
    _ beginning: String, limit: Int = 10, in context: Context
  ) throws(Context.Failure) -> [String] {
    try context.find(orElse: []) {
      try $0.searchSuggestions(for: beginning, in: Self.self, limit: limit)
    }
  }
}
