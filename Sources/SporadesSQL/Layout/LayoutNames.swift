// SPDX-License-Identifier: MIT

/// The names in a layout that do not depend on the model.
package struct LayoutNames: Hashable, Sendable {
  package let row: Row
  package let counters: Counters
  package let metadata: Metadata
  /// Nil for a layout whose stores carry no model.
  package let modelCache: ModelCache?

  package init(row: Row, counters: Counters, metadata: Metadata, modelCache: ModelCache? = nil) {
    self.row = row
    self.counters = counters
    self.metadata = metadata
    self.modelCache = modelCache
  }

  /// The first columns of each entity's rows.
  package struct Row: Hashable, Sendable {
    package let key: String
    /// The number of the row's entity.
    package let entity: String
    /// A number that grows with each save of the row.
    package let version: String

    package init(key: String, entity: String, version: String) {
      self.key = key
      self.entity = entity
      self.version = version
    }

    /// The columns in the order of reads and writes.
    package var all: [String] { [key, entity, version] }
  }

  /// The table that numbers the entities and counts their keys, with one row per entity.
  package struct Counters: Hashable, Sendable {
    package let table: String
    package let entity: String
    package let name: String
    /// The number of the parent entity; 0 for a root.
    package let parent: String
    /// The largest reserved key, in the row of a root entity.
    package let maximum: String

    package init(table: String, entity: String, name: String, parent: String, maximum: String) {
      self.table = table
      self.entity = entity
      self.name = name
      self.parent = parent
      self.maximum = maximum
    }
  }

  /// The table with the single row that identifies the store.
  package struct Metadata: Hashable, Sendable {
    package let table: String
    package let version: String
    package let identifier: String
    /// A property list.
    package let contents: String

    package init(table: String, version: String, identifier: String, contents: String) {
      self.table = table
      self.version = version
      self.identifier = identifier
      self.contents = contents
    }
  }
  /// The table with the single row that holds the model.
  package struct ModelCache: Hashable, Sendable {
    package let table: String
    /// A compressed archive.
    package let contents: String

    package init(table: String, contents: String) {
      self.table = table
      self.contents = contents
    }
  }
}
