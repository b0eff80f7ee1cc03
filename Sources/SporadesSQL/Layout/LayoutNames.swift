// SPDX-License-Identifier: MIT

/// The names of a layout that do not depend on the model.
package struct LayoutNames: Hashable, Sendable {
  package let row: Row
  package let counters: Counters
  package let metadata: Metadata

  package init(row: Row, counters: Counters, metadata: Metadata) {
    self.row = row
    self.counters = counters
    self.metadata = metadata
  }

  /// The columns that each row of an entity begins with.
  package struct Row: Hashable, Sendable {
    package let key: String
    /// Holds the number of the row's entity.
    package let entity: String
    /// Holds a number that grows with each save of the row.
    package let version: String

    package init(key: String, entity: String, version: String) {
      self.key = key
      self.entity = entity
      self.version = version
    }

    /// In the order in which rows are read and written.
    package var all: [String] { [key, entity, version] }
  }

  /// The table that numbers the entities and counts their keys, with one row per entity.
  package struct Counters: Hashable, Sendable {
    package let table: String
    package let entity: String
    package let name: String
    /// Holds the number of the entity that an entity inherits from, 0 where there is none.
    package let parent: String
    /// Holds the largest key that was handed out, in the row of a root entity.
    package let maximum: String

    package init(table: String, entity: String, name: String, parent: String, maximum: String) {
      self.table = table
      self.entity = entity
      self.name = name
      self.parent = parent
      self.maximum = maximum
    }
  }

  /// The table with one row that says which store this is.
  package struct Metadata: Hashable, Sendable {
    package let table: String
    package let version: String
    package let identifier: String
    /// Holds a property list.
    package let contents: String

    package init(table: String, version: String, identifier: String, contents: String) {
      self.table = table
      self.version = version
      self.identifier = identifier
      self.contents = contents
    }
  }
}
