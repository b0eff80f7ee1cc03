// SPDX-License-Identifier: MIT
public import SporadesPostgreSQL
import SporadesStore

/// The place where a store on PostgreSQL looks for words.
public enum ServerSearch: Hashable, Sendable {
  /// The texts of all rows, in memory.
  case texts
  /// An index of the store's own on the server, which follows all who write.
  case index
}

extension PostgreSQLStoreOptions {
  /// The place where searches look for words. The first search with an index makes the tables and triggers. Later ones take as
  /// long as the rows that they find need.
  ///
  /// ```swift
  /// options.search = .index
  /// ```
  public var search: ServerSearch {
    get { companions == nil ? .texts : .index }
    set {
      companions = newValue == .texts ? nil : SearchCompanions()
    }
  }
}

/// Makes the indexes of each store on a server.
private struct SearchCompanions: ServerCompanions {
  func companion(of store: any PersistentStore) -> (any ServerCompanion)? {
    (store as? PostgreSQLStore).map { ServerSearchIndex(of: $0) }
  }
}
