// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The parts of a store that somebody has read, so that later changes of them can be told from others.
package struct ReadNotes: Sendable {
  /// Rows that were read by their keys.
  package var keys: Set<RowKey> = []
  /// The numbers of entities whose rows were read by conditions or references.
  package var entities: Set<Int> = []
  /// The joins whose links were read.
  package var joins: Set<Int> = []
  /// Any row may have been read.
  package var readsEverything = false

  package init() {}

  /// Nothing was read.
  package var isEmpty: Bool {
    keys.isEmpty && entities.isEmpty && joins.isEmpty && !readsEverything
  }

  /// Notes the entities that a fetch reads: its own, and those that its predicate and order lead to.
  package mutating func noteEntities(of fetch: StoreFetch, _ model: ManagedObjectModel) {
    entities.formUnion(fetch.family)
    fetch.predicate?.forEachKeyPath { noteSteps(of: $0, from: fetch.entity, model) }
    for term in fetch.sortTerms {
      term.expression.forEachKeyPath { noteSteps(of: $0, from: fetch.entity, model) }
    }
  }

  /// Notes the entities and joins that a key path leads through. A step that the model does not know counts as every row.
  package mutating func noteSteps(
    of names: [String], from entity: EntityShape, _ model: ManagedObjectModel
  ) {
    var entity = entity
    for name in names {
      switch entity[name] {
      case .attribute: return
      case .relationship(let relationship):
        entities.formUnion(relationship.destinationFamily)
        if case .join(let join, _) = relationship.storage { joins.insert(join) }
        entity = model.shape(numbered: relationship.destination)
      case .fetched, nil: readsEverything = true
      }
    }
  }

  mutating func note(_ asked: [RowKey], _ pages: [RowPage]) {
    keys.formUnion(asked)
    for page in pages { for index in 0..<page.count { keys.insert(page.key(index)) } }
  }
}
