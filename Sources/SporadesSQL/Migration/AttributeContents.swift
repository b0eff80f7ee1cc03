// SPDX-License-Identifier: MIT
package import SporadesModel

/// One attribute in the rows of one entity, before and after a migration.
package struct AttributeChange: Sendable {
  /// The entity in the older version, and in the newer one.
  package let entities: (old: Int, new: Int)
  package let piece: RowSuccession.Piece
  /// The path of the attribute in the newer version.
  package let path: String
  package let new: AttributeDescription
  /// A composite around the attribute may be nil.
  let isInOptional: Bool
  /// Nil for an attribute without a source.
  package let old: AttributeDescription?
  /// A row may be without a value in the older version.
  let mayLackValue: Bool
  /// The column in the older version.
  package let column: String?
  /// Nil if no value can be converted.
  package let conversion: ValueConversion?
  let words: any MigrationWords

  /// Whether rows without a value get the default.
  var fillsMissing: Bool {
    guard !new.isOptional, !new.defaultValue.isNull else { return false }
    return isInOptional ? old?.isOptional != false : mayLackValue
  }

  /// Whether rows must have a value, and may have none so far.
  package var needsValue: Bool {
    !new.isOptional && !isInOptional && new.defaultValue.isNull && !new.isDerived && mayLackValue
  }

  var content: MigratedColumn.Content {
    guard let column, let conversion else {
      return new.defaultValue.isNull || new.isDerived ? .absent : .computed(fallback, over: nil)
    }
    let value = converted("o.\(name: column)", conversion)
    if fillsMissing { return .computed("COALESCE(\(value), \(fallback))", over: column) }
    let isKept = value == "o.\(name: column)"
    return isKept ? .kept(column) : .computed(value, over: column)
  }

  /// Whether the value moves into a file, or out of one.
  package var readsFile: Bool {
    guard words.keepsFiles, let old, old.isLarge, conversion != nil else { return false }
    return !new.isLarge || conversion != .same
  }

  private func converted(_ stored: SQLFragment, _ conversion: ValueConversion) -> SQLFragment {
    guard let old else { return stored }
    guard words.keepsFiles, old.isLarge != new.isLarge || readsFile else {
      return words.value(stored, conversion, old.type, new.type)
    }
    let bytes: SQLFragment = readsFile ? "\(sql: SQLFunction.bytes)(\(stored))" : stored
    let value = words.value(bytes, conversion, old.type, new.type)
    return new.isLarge ? "\(sql: SQLFunction.stored)(\(value))" : value
  }

  private var fallback: SQLFragment {
    let value = SQLValue(content: new.defaultValue)
    guard words.keepsFiles, new.isLarge, case .blob(let bytes) = value else {
      return words.constant(new.defaultValue, new.type)
    }
    return "\(SQLValue.blob([1] + bytes))"
  }

  /// The old value, for checks.
  package var oldValue: SQLFragment? { column.map { "o.\(name: $0)" } }
}

/// The attributes of one slot in all entities that have it.
package final class AttributeContents {
  let succession: RowSuccession
  let slot: RowLayout.Slot
  let attribute: AttributeDescription

  package init(
    succession: RowSuccession, slot: RowLayout.Slot, attribute: AttributeDescription
  ) {
    self.succession = succession
    self.slot = slot
    self.attribute = attribute
  }

  package var changes: [AttributeChange] {
    let (old, new) = (succession.old, succession.new)
    return new.model.shape(numbered: slot.entity).family.compactMap { entity in
      guard let source = succession.source(of: entity), let piece = succession.piece(of: source)
      else { return nil }
      let shape = new.model.shape(numbered: entity)
      let former = succession.evolution.source(ofAttribute: slot.name, in: shape.name)
      let found = former.flatMap { old.slot(ofAttribute: $0, of: source) }
      let before = found.flatMap { old.attribute($0, inTable: piece.old) }
      return AttributeChange(
        entities: (source, entity), piece: piece, path: slot.name, new: attribute,
        isInOptional: shape.mayBeAbsent(around: slot.name), old: before,
        mayLackValue: before?.isOptional != false
          || former.map(old.model.shape(numbered: source).mayBeAbsent) == true,
        column: found.map { old.table(piece.old).columns[$0].name },
        conversion: before.flatMap { ValueConversion(from: $0.type, to: attribute.type) },
        words: new.words)
    }
  }

  func content(_ piece: RowSuccession.Piece) -> MigratedColumn.Content {
    var terms = EntityTerms()
    for change in changes where change.piece == piece {
      terms[change.entities.old] = change.content
    }
    let fillsNull = changes.contains { $0.piece == piece && $0.fillsMissing }
    return terms.content(succession, piece, fillsNull: fillsNull) {
      succession.old.users(ofColumn: $0, inTable: piece.old)
    }
  }
}
