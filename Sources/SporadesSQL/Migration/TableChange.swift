// SPDX-License-Identifier: MIT
import SporadesModel

/// The change of the tables that go to one table of the newer version.
package struct TableChange: Sendable {
  /// The index of the new table in the newer layout.
  package let place: Int
  package let name: String
  package let pieces: [RowSuccession.Piece]
  /// The columns after those of each row.
  package let columns: [MigratedColumn]
  package let form: Form

  package enum Form: Hashable, Sendable {
    /// The table is new.
    case made
    /// The old table gets other names and columns; only changed values are written.
    case altered(Alteration)
    /// All rows are written into a new table.
    case rewritten
  }

  /// The changes of a table that stays.
  package struct Alteration: Hashable, Sendable {
    package var oldName: String
    /// The new names of columns by their old ones.
    package var renamed: [String: String] = [:]
    /// The indexes of the columns that are added.
    package var added: [Int] = []
    /// The indexes of the columns with new values.
    package var computed: [Int] = []
    /// The entities whose rows go.
    package var gone: [Int] = []
    package var changesNumbers = false
    /// The columns that the newer version lacks and that stay for now.
    package var left: [String] = []

    /// Whether rows are written.
    package var writesRows: Bool { !computed.isEmpty || !gone.isEmpty || changesNumbers }
  }

  /// Whether the table stays as it is.
  package var isUnchanged: Bool { form == .altered(Alteration(oldName: name)) }

  package init(
    _ place: Int, _ succession: RowSuccession, _ references: [Int: ReferenceSource],
    keepsOldValues: Bool, leavesColumns: Bool
  ) {
    self.place = place
    let table = succession.new.table(place)
    name = table.name
    pieces = succession.pieces(of: place)
    let columns = TableColumns(succession, place, pieces, references).columns
    self.columns = columns
    let form = Self.form(table, pieces, columns, succession, leavesColumns: leavesColumns)
    if keepsOldValues, case .altered(let alteration) = form, !alteration.computed.isEmpty {
      self.form = .rewritten
    } else {
      self.form = form
    }
  }

  private static func form(
    _ table: StoreLayout.Table, _ pieces: [RowSuccession.Piece], _ columns: [MigratedColumn],
    _ succession: RowSuccession, leavesColumns: Bool
  ) -> Form {
    guard let piece = pieces.first else { return .made }
    let isAlone = pieces.count == 1 && succession.pieces.count { $0.old == piece.old } == 1
    guard isAlone, let alteration = Self.alteration(table, piece, columns, succession),
      alteration.left.isEmpty || leavesColumns
    else {
      return .rewritten
    }
    return .altered(alteration)
  }

  /// Nil if a column changes its type, gives its values to several others, or has to make room for a new one.
  private static func alteration(
    _ table: StoreLayout.Table, _ piece: RowSuccession.Piece, _ columns: [MigratedColumn],
    _ succession: RowSuccession
  ) -> Alteration? {
    let old = succession.old.table(piece.old)
    var unclaimed = succession.old.declarations(piece.old)
    var alteration = Alteration(oldName: old.name)
    for (index, column) in columns.enumerated() {
      let content = column.content(piece)
      if case .computed = content { alteration.computed.append(index) }
      guard let base = content.base else {
        alteration.added.append(index)
        continue
      }
      guard unclaimed.removeValue(forKey: base) == column.declaration else { return nil }
      if base != column.name { alteration.renamed[base] = column.name }
    }
    guard columns.allSatisfy({ unclaimed[$0.name] == nil }) else { return nil }
    alteration.left = unclaimed.keys.inOrder()
    alteration.gone = succession.gone(fromTable: piece.old).filter {
      !succession.old.model.shape(numbered: $0).isAbstract
    }
    alteration.changesNumbers = succession.entityNumber(of: piece) != nil
    return alteration
  }
}

extension StoreLayout.Table {
  /// The names of the columns of slots, with those of entity numbers.
  package var columnNames: Set<String> {
    Set(columns.map(\.name) + columns.compactMap(\.entityColumn))
  }
}

/// The columns of one new table with their contents.
private struct TableColumns {
  private let succession: RowSuccession
  private let place: Int
  private let pieces: [RowSuccession.Piece]
  private let references: [Int: ReferenceSource]

  init(
    _ succession: RowSuccession, _ place: Int, _ pieces: [RowSuccession.Piece],
    _ references: [Int: ReferenceSource]
  ) {
    self.succession = succession
    self.place = place
    self.pieces = pieces
    self.references = references
  }

  var columns: [MigratedColumn] {
    let new = succession.new
    let order = CreateStatements(new.scheme, PlainDialect()).columnOrder(of: new.table(place))
    return order.flatMap(columns(ofSlot:))
  }

  private func columns(ofSlot slot: Int) -> [MigratedColumn] {
    let table = succession.new.table(place)
    let column = table.columns[slot]
    let declared = succession.new.model.shape(numbered: table.rootEntity).layout.slots[slot]
    let words = succession.new.words
    let declaration = words.declaration(of: declared, column.type)
    switch declared.role {
    case .attribute(let attribute):
      let contents = AttributeContents(
        succession: succession, slot: declared, attribute: attribute)
      return [migrated(column.name, declaration) { contents.content($0) }]
    case .position:
      let owner = references.values.first { $0.positionSlot == slot }
      return [migrated(column.name, declaration) { owner?.position($0) ?? .absent }]
    case .toOne, .owner:
      let source = references[slot]
      let key = migrated(column.name, declaration) { source?.key($0) ?? .absent }
      let number = column.entityColumn.map { name in
        migrated(name, words.entityType) { source?.number($0) ?? .absent }
      }
      return [key] + (number.map { [$0] } ?? [])
    }
  }

  private func migrated(
    _ name: String, _ declaration: String,
    _ content: (RowSuccession.Piece) -> MigratedColumn.Content
  ) -> MigratedColumn {
    let contents = Dictionary(uniqueKeysWithValues: pieces.map { ($0, content($0)) })
    return MigratedColumn(name: name, declaration: declaration, contents: contents)
  }
}

/// A dialect for statements that only tell an order.
struct PlainDialect: SQLDialect {
  func quoted(_ name: String) -> String { name }
  func placeholder(_ number: Int) -> String { "?" }
  func word(for comparison: SQLSameness) -> String { "IS" }
  func read(_ column: String, isDecimal: Bool) -> String { column }
  func unindexed(_ condition: String) -> String { condition }
}
