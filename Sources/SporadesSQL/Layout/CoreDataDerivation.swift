// SPDX-License-Identifier: MIT
import SporadesModel

/// The triggers by which Core Data maintains one derived attribute.
///
/// Real files show two kinds: the number of the members of a one-to-many relationship, and an attribute behind a
/// to-one relationship. Both lead from a root entity to another root entity without subentities. Other derived
/// attributes have no triggers in new files, because nobody has seen how Core Data writes them.
struct CoreDataDerivation {
  private let derived: AttributeShape
  private let shape: EntityShape
  /// The entity behind the relationship.
  let destination: Int
  private let path: Path
  private let layout: StoreLayout
  private let dialect: any SQLDialect

  private enum Path {
    /// The members' table, and its column with the key of the owner.
    case count(table: String, reference: String)
    /// The owner's column with the key of the source, and the source's table and column.
    case copy(reference: String, table: String, column: String)
  }

  init?(
    _ derived: AttributeShape, of shape: EntityShape, _ model: ManagedObjectModel,
    _ layout: StoreLayout, _ dialect: any SQLDialect
  ) {
    guard shape.superNumber == 0, derived.slot != nil,
      let text = derived.description.derivationExpression, let derivation = Derivation(text),
      let (path, destination) = Self.path(derivation, derived, shape, model, layout)
    else { return nil }
    self.destination = destination
    self.derived = derived
    self.shape = shape
    self.path = path
    self.layout = layout
    self.dialect = dialect
  }

  private static func path(
    _ derivation: Derivation, _ derived: AttributeShape, _ shape: EntityShape,
    _ model: ManagedObjectModel, _ layout: StoreLayout
  ) -> (Path, destination: Int)? {
    switch derivation {
    case .count(let names) where names.count == 1:
      guard let (relationship, other) = step(names[0], shape, model),
        case .inverseReference(let slot, _) = relationship.storage,
        case .toOne = other.layout.slots[slot].role
      else { return nil }
      let table = layout.table(ofEntity: other.number)
      return (.count(table: table.name, reference: table.columns[slot].name), other.number)
    case .keyPath(let names) where names.count == 2:
      guard let (relationship, other) = step(names[0], shape, model),
        case .reference(let slot, _) = relationship.storage,
        case .attribute(let source)? = other[names[1]], let sourceSlot = source.slot,
        !source.description.isDerived, !source.description.isLarge, source.type == derived.type
      else { return nil }
      let table = layout.table(ofEntity: other.number)
      let reference = layout.table(ofEntity: shape.number).columns[slot].name
      let column = table.columns[sourceSlot].name
      return (.copy(reference: reference, table: table.name, column: column), other.number)
    default: return nil
    }
  }

  /// The relationship and its destination, if the destination is another root entity without subentities.
  private static func step(
    _ name: String, _ shape: EntityShape, _ model: ManagedObjectModel
  ) -> (RelationshipShape, EntityShape)? {
    guard case .relationship(let relationship)? = shape[name] else { return nil }
    let other = model.shape(numbered: relationship.destination)
    guard other.superNumber == 0, !other.hasSubentities, other.number != shape.number,
      !relationship.isOrdered
    else { return nil }
    return (relationship, other)
  }

  // MARK: - Names

  private var key: String { layout.names.row.key }
  private var owner: StoreLayout.Table { layout.table(ofEntity: shape.number) }
  private var column: String { owner.columns[derived.slot ?? 0].name }

  private func name(_ table: String, _ event: String) -> String {
    "\(CoreDataLayout.derivationPrefix)\(table)_\(shape.name)_\(derived.name)_\(event)"
  }

  // MARK: - Triggers

  var triggers: [CoreDataTrigger] {
    switch path {
    case .count(let table, let reference):
      [
        member(.insert, "INSERT", table, reference, "NEW", "IFNULL(\(name: column), 0) + 1"),
        member(.update, "UPDATE_INCREMENT", table, reference, "NEW", "\(name: column) + 1"),
        member(.update, "UPDATE_DECREMENT", table, reference, "OLD", "\(name: column) - 1"),
        member(.delete, "DELETE", table, reference, "OLD", "\(name: column) - 1"),
        source(.insert, nil, isNew: true),
      ]
    case .copy(let reference, let table, let column):
      [
        source(.insert, nil, isNew: true), source(.update, reference, isNew: false),
        pushed(.insert, nil, from: table, column, to: reference),
        pushed(.update, column, from: table, column, to: reference),
      ]
    }
  }

  /// A row comes, goes, or is given to another owner.
  private func member(
    _ event: CoreDataTrigger.Event, _ suffix: String, _ table: String, _ reference: String,
    _ row: String, _ value: SQLFragment
  ) -> CoreDataTrigger {
    let place: SQLFragment = "\(name: key) = \(sql: row).\(name: reference)"
    return CoreDataTrigger(
      name: name(table, "PARAMETER_\(suffix)"), event: event,
      column: event == .update ? reference : nil, table: table,
      condition: "\(sql: row).\(name: reference) NOT NULL",
      body: assignment(value, where: place, isNew: false))
  }

  /// An owner comes, or refers to another row.
  private func source(
    _ event: CoreDataTrigger.Event, _ watched: String?, isNew: Bool
  ) -> CoreDataTrigger {
    let value =
      switch path {
      case .count: definition("NEW.\(name: key)")
      case .copy(let reference, _, _): definition("NEW.\(name: reference)")
      }
    return CoreDataTrigger(
      name: name(owner.name, "SOURCE_\(event.rawValue)"), event: event, column: watched,
      table: owner.name,
      body: assignment(value, where: "\(name: key) = NEW.\(name: key)", isNew: isNew))
  }

  /// The row with the original value comes or changes.
  private func pushed(
    _ event: CoreDataTrigger.Event, _ watched: String?, from table: String, _ column: String,
    to reference: String
  ) -> CoreDataTrigger {
    CoreDataTrigger(
      name: name(table, "PARAMETER_\(event.rawValue)"), event: event, column: watched,
      table: table,
      body: assignment(
        "NEW.\(name: column)", where: "\(name: reference) = NEW.\(name: key)",
        isNew: event == .insert))
  }

  /// The assignment, and the call by which Core Data hears of the new value.
  private func assignment(
    _ value: SQLFragment, where place: SQLFragment, isNew: Bool
  ) -> SQLFragment {
    let function =
      isNew
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    let row = layout.names.row
    return """
      UPDATE \(name: owner.name) SET \(name: column) = \(value) WHERE \(place); \
      SELECT \(sql: function)(\(literal(owner.name)), \(name: row.entity), \(name: key), \
      \(literal(derived.name)), \(name: column)) FROM \(name: owner.name) WHERE \(place);
      """
  }

  private func literal(_ text: String) -> SQLFragment {
    let parts = text.split(separator: "'", omittingEmptySubsequences: false)
    return "'\(sql: parts.joined(separator: "''"))'"
  }

  /// `(SELECT IFNULL(COUNT(ZOWNER), 0) FROM ZPET WHERE ZOWNER = …)`, or the source's value by its key.
  private func definition(_ given: SQLFragment) -> SQLFragment {
    switch path {
    case .count(let table, let reference):
      """
      (SELECT IFNULL(COUNT(\(name: reference)), 0) FROM \(name: table) \
      WHERE \(name: reference) = \(given))
      """
    case .copy(_, let table, let column):
      "(SELECT \(name: column) FROM \(name: table) WHERE \(name: key) = \(given))"
    }
  }

  // MARK: - Upkeep

  /// How a writer checks the work of the triggers.
  var upkeep: StoreLayout.Derivation {
    let whole: SQLFragment =
      switch path {
      case .count: definition(.parameter)
      case .copy(let reference, _, _):
        definition(
          "(SELECT \(name: reference) FROM \(name: owner.name) WHERE \(name: key) = \(.parameter))")
      }
    let isRow: SQLFragment = "\(name: key) = \(.parameter)"
    let value: SQLFragment = "SELECT \(name: column) FROM \(name: owner.name) WHERE \(isRow)"
    let renewal: SQLFragment =
      "UPDATE \(name: owner.name) SET \(name: column) = \(whole) WHERE \(isRow)"
    return StoreLayout.Derivation(
      rootEntity: shape.rootNumber, slot: derived.slot ?? 0, triggers: Set(triggers.map(\.name)),
      value: value.rendered(in: dialect), renewal: renewal.rendered(in: dialect))
  }
}
