// SPDX-License-Identifier: MIT
public import SporadesPostgreSQL
import SporadesStore

/// What a store on PostgreSQL searches in.
public enum ServerSearch: Hashable, Sendable {
  /// The texts of all rows, in memory.
  case texts
  /// An index of the store's own on the server, which follows all who write.
  case index
}

extension PostgreSQLStoreOptions {
  /// What searches look into. With an index the first search makes its tables and triggers, and others cost what they find.
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
