// SPDX-License-Identifier: MIT

/// Where the rows of each entity went in a migration.
package struct RowSuccessors: Sendable {
  /// The entity of the rows in the newer version, and the number by which their keys grew.
  package struct Place: Sendable {
    package let entity: Int
    package let offset: Int64

    package init(entity: Int, offset: Int64) { (self.entity, self.offset) = (entity, offset) }
  }

  /// The places by the entities of the older version. The rows of all others are gone.
  private let places: [Int: Place]

  package init(_ places: [Int: Place]) { self.places = places }

  /// The key of a row in the newer version; nil if the rows of its entity are gone.
  package func key(of former: RowKey) -> RowKey? {
    places[former.entity].map {
      RowKey(entity: $0.entity, primaryKey: former.primaryKey + $0.offset, store: former.store)
    }
  }
}
