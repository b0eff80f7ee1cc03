// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL

// The columns of one table, and what a new row would lack.
extension Mapping {
  mutating func table(
    of root: EntityShape, _ table: CatalogTable, _ key: CatalogColumn
  ) -> MappedTables.Table {
    let notes = root.description.userInfo
    let isReadOnly = MappingNote.isSet(MappingNote.isReadOnly, in: notes) || !table.isPlain
    let version = version(of: root, table)
    let discriminator = discriminator(of: root, table)
    var aliases = Set(ServerLayout.names.row.all)
    var columns: [MappedTables.Column] = []
    var written = Set([key.name, version, discriminator?.column].compactMap(\.self))
    var ownReferences: [Int] = []
    for (slot, content) in root.layout.slots.enumerated() {
      var column = self.column(of: content, root, table, &aliases)
      if let name = column.name, column.form != nil {
        if !written.insert(name).inserted {
          column = column.unwritten
        } else if destination(
          of: content)?.rootNumber == root.number
        {
          ownReferences.append(slot)
        }
      }
      columns.append(column)
    }
    if !isReadOnly { refuseLacks(root, table, written) }
    return MappedTables.Table(
      name: table.name, entity: root.name,
      key: .init(
        column: key.name, range: key.integerRange ?? 0...0, sequence: key.sequence,
        isAlwaysIdentity: key.isAlwaysIdentity), version: version, discriminator: discriminator,
      isReadOnly: isReadOnly, hasVersions: table.isPlain, isPartitioned: table.isPartitioned,
      isFilled: table.hasTriggers || columns.contains { $0.fillsNil || $0.form == nil },
      columns: columns, uniques: uniques(table, columns, root),
      ownReferences: ownReferences)
  }

  /// The properties of unique constraints, for refusals.
  private func uniques(
    _ table: CatalogTable, _ columns: [MappedTables.Column], _ root: EntityShape
  ) -> [String: [String]] {
    var uniques: [String: [String]] = [:]
    for constraint in table.uniques {
      let names = constraint.columns.compactMap { name in
        columns.firstIndex { $0.name == name }.map { root.layout.slots[$0].name }
      }
      if names.count == constraint.columns.count { uniques[constraint.name] = names }
    }
    return uniques
  }

  private mutating func version(of root: EntityShape, _ table: CatalogTable) -> String? {
    guard let name = root.description.userInfo[MappingNote.version] else { return nil }
    guard let column = table[column: name], column.integerRange != nil, column.isNotNull else {
      refuse(
        root.name,
        "\(table.name).\(name) is to have versions, and is no column of whole numbers that is NOT NULL."
      )
      return nil
    }
    return name
  }

  private mutating func discriminator(
    of root: EntityShape, _ table: CatalogTable
  ) -> MappedTables.Discriminator? {
    guard let name = root.description.userInfo[MappingNote.discriminator] else {
      if root.hasSubentities {
        refuse(
          root.name,
          "\(root.name) has subentities, and names no column that tells them apart: .table(…, discriminator: …)."
        )
      }
      return nil
    }
    guard let column = table[column: name] else {
      refuse(
        root.name, "\(table.name).\(name) is to tell the entities of rows, and is not there.")
      return nil
    }
    var values: [Int: String] = [:]
    var names: [Int: String] = [:]
    for shape in root.family.map(model.shape(numbered:)) where !shape.isAbstract {
      values[shape.number] =
        shape.description.userInfo[MappingNote.discriminatorValue] ?? shape.name
      names[shape.number] = shape.name
    }
    return .init(column: name, declared: column.declared, values: values, names: names)
  }

  // MARK: - Columns

  private mutating func column(
    of slot: RowLayout.Slot, _ root: EntityShape, _ table: CatalogTable,
    _ aliases: inout Set<String>
  ) -> MappedTables.Column {
    let entity = model.shape(numbered: slot.entity)
    let place = "\(entity.name).\(slot.name)"
    switch slot.role {
    case .attribute(let attribute):
      return column(of: attribute, entity, place, table, &aliases)
    case .toOne(let relationship):
      if let computed = computed(relationship, entity, table, &aliases) { return computed }
      let name =
        relationship.userInfo[MappingNote.column]
        ?? ServerNames.folded(relationship.name) + "_id"
      return reference(name, place, destination(of: slot), entity, table, &aliases)
    case .owner(let owner, let relationship):
      let owner = model.shape(numbered: owner)
      let name =
        relationship.userInfo[MappingNote.column] ?? ServerNames.folded(owner.name) + "_id"
      return reference(
        name, "\(owner.name).\(relationship.name)", owner, entity, table, &aliases)
    case .position:
      refuse(
        entity.name,
        "Objects to which \(place) leads have them in an order, and an existing table keeps no order."
      )
      return .none
    }
  }

  private mutating func column(
    of attribute: AttributeDescription, _ entity: EntityShape, _ place: String,
    _ table: CatalogTable, _ aliases: inout Set<String>
  ) -> MappedTables.Column {
    let name = attribute.userInfo[MappingNote.column] ?? ServerNames.folded(attribute.name)
    guard let column = table[column: name] else {
      refuse(entity.name, "\(place) is to be in \(table.name).\(name), which is not there.")
      return .none
    }
    if attribute.isDerived {
      refuse(entity.name, "\(place) is derived, and the database computes no value of ours.")
    }
    let isReadOnly =
      column.isGenerated || MappingNote.isSet(MappingNote.isReadOnly, in: attribute.userInfo)
    guard let form = ColumnForm(attribute.type, in: column, isReadOnly: isReadOnly) else {
      refuse(
        entity.name,
        "\(place) is of type \(attribute.type), and \(table.name).\(name) of type \(column.declared)"
          + (isReadOnly ? "." : ", whose values it cannot have."))
      return .none
    }
    if [.string, .uri].contains(attribute.type) { note(text: column) }
    let fillsNil = column.isNotNull && (column.hasDefault || table.hasTriggers)
    if attribute.isOptional, column.isNotNull, !fillsNil, !isReadOnly, table.isPlain {
      refuse(
        entity.name,
        "\(place) may be nil, and \(table.name).\(name) is NOT NULL. Declare it without a question mark."
      )
    }
    return .init(
      name: name, alias: alias(name, &aliases),
      reading: form.reading.before + "m.\(PostgreSQLDialect().quoted(name))" + form.reading.behind,
      entity: nil, form: isReadOnly ? nil : form, fillsNil: fillsNil)
  }

  private mutating func reference(
    _ name: String, _ place: String, _ destination: EntityShape?, _ entity: EntityShape,
    _ table: CatalogTable, _ aliases: inout Set<String>
  ) -> MappedTables.Column {
    guard let column = table[column: name] else {
      refuse(
        entity.name,
        "\(place) is to have keys in \(table.name).\(name), which is not there. Name the column: .column(…)."
      )
      return .none
    }
    let other = otherKey(of: destination, in: column, of: table)
    if other == nil, column.integerRange == nil {
      refuse(
        entity.name,
        "\(place) is to have keys in \(table.name).\(name), which is of type \(column.declared) and leads to no row of "
          + "\(destination?.name ?? "another entity"): it holds no whole numbers, and has no foreign key to one unique column."
      )
    }
    if let destination, isAmbiguous(name, of: table, to: destination) {
      refuse(entity.name, ambiguity(place, name, of: table, to: destination))
    }
    let alias = alias(name, &aliases)
    let stored = "m.\(PostgreSQLDialect().quoted(name))"
    let found = other?.reading(stored, as: "r\(aliases.count)")
    let reading = found?.key ?? stored
    return .init(
      name: name, alias: alias, reading: reading,
      entity: destination.flatMap { self.entity(of: $0, reading, alias, &aliases) },
      join: found?.join, form: column.isGenerated ? nil : .reference(other),
      fillsNil: column.isNotNull && (column.hasDefault || table.hasTriggers))
  }

  /// What a column has in place of the key of a row; nil where it has the key.
  func otherKey(
    of destination: EntityShape?, in column: CatalogColumn, of table: CatalogTable
  ) -> OtherKey? {
    guard let destination, let (target, key) = place(of: destination) else { return nil }
    let reference = table.references.first {
      $0.columns == [column.name] && $0.destination == target.name
    }
    let led: String
    if let reference {
      led = reference.destinationColumns[0]
    } else {
      // Without a foreign key, the column has to look like the primary key.
      guard column.integerRange == nil, target.primaryKey.count == 1,
        target[column: target.primaryKey[0]]?.declared == column.declared
      else { return nil }
      led = target.primaryKey[0]
    }
    return led == key ? nil : OtherKey(target.name, column: led, key: key)
  }

  /// Whether a column of whole numbers may have the keys of objects or those of the rows, which are others, and no foreign key
  /// tells.
  func isAmbiguous(_ name: String, of table: CatalogTable, to destination: EntityShape) -> Bool {
    guard table[column: name]?.integerRange != nil, let (target, key) = place(of: destination),
      target.primaryKey.count == 1, target.primaryKey[0] != key,
      target[column: target.primaryKey[0]]?.integerRange != nil
    else { return false }
    return !table.references.contains { $0.columns == [name] && $0.destination == target.name }
  }

  func ambiguity(
    _ place: String, _ name: String, of table: CatalogTable, to destination: EntityShape
  ) -> String {
    "\(place) is to have keys in \(table.name).\(name), and nothing tells which column of \(destination.name) they are of: its key "
      + "or its primary key. Add a foreign key."
  }

  /// The table of an entity's tree, and its column with the keys of objects.
  private func place(of entity: EntityShape) -> (table: CatalogTable, key: String)? {
    let root = model.shape(numbered: entity.rootNumber)
    guard let table = name(of: root).flatMap({ catalog.tables[$0] }),
      let key = root.description.userInfo[MappingNote.key] ?? table.primaryKey.first
    else { return nil }
    return (table, key)
  }

  /// The other side of a link from one object to one has the column.
  private mutating func computed(
    _ relationship: RelationshipDescription, _ entity: EntityShape, _ table: CatalogTable,
    _ aliases: inout Set<String>
  ) -> MappedTables.Column? {
    guard relationship.userInfo[MappingNote.column] == nil,
      let destination = model.shape(named: relationship.destinationEntityName),
      let inverse = relationship.inverseName, case .relationship(let other)? = destination[inverse],
      !other.isToMany
    else { return nil }
    let own = ServerNames.folded(relationship.name) + "_id"
    let given = other.description.userInfo[MappingNote.column]
    guard given != nil || table[column: own] == nil, let (target, key) = place(of: destination)
    else { return nil }
    let dialect = PostgreSQLDialect()
    let column = given ?? ServerNames.folded(inverse) + "_id"
    let ownKey = entity.description.userInfo[MappingNote.key] ?? table.primaryKey.first ?? ""
    let led = target[column: column].flatMap { otherKey(of: entity, in: $0, of: target) }
    let reading =
      "(SELECT o.\(dialect.quoted(key)) FROM \(target.name.quoted) o WHERE o.\(dialect.quoted(column)) = "
      + "m.\(led?.column ?? dialect.quoted(ownKey)) LIMIT 1)"
    let alias = alias(own, &aliases)
    return .init(
      name: nil, alias: alias, reading: reading,
      entity: self.entity(of: destination, reading, alias, &aliases), form: nil, fillsNil: false)
  }

  /// The name of the entity of a linked row, where there are several.
  private func entity(
    of destination: EntityShape, _ key: String, _ alias: String, _ aliases: inout Set<String>
  ) -> (alias: String, reading: String)? {
    let root = model.shape(numbered: destination.rootNumber)
    guard destination.hasSubentities, let (table, column) = place(of: root) else { return nil }
    var mapping = self
    guard let discriminator = mapping.discriminator(of: root, table) else { return nil }
    let dialect = PostgreSQLDialect()
    return (
      self.alias("\(alias)_entity", &aliases),
      "(SELECT \(discriminator.entity(of: "e")) FROM \(table.name.quoted) e "
        + "WHERE e.\(dialect.quoted(column)) = \(key))"
    )
  }

  private func alias(_ name: String, _ aliases: inout Set<String>) -> String {
    var alias = name
    while !aliases.insert(alias).inserted { alias += "_" }
    return alias
  }

  func destination(of slot: RowLayout.Slot) -> EntityShape? {
    switch slot.role {
    case .toOne(let relationship): model.shape(named: relationship.destinationEntityName)
    case .owner(let entity, _): model.shape(numbered: entity)
    case .attribute, .position: nil
    }
  }

  // MARK: - Lacks

  /// Refuses columns for which a new row would have no value. A trigger may give one.
  private mutating func refuseLacks(
    _ root: EntityShape, _ table: CatalogTable, _ written: Set<String>
  ) {
    guard !table.hasTriggers else { return }
    for column in table.columns
    where column.isNotNull && !column.hasDefault && !written.contains(column.name) {
      refuse(
        root.name,
        "\(table.name).\(column.name) is NOT NULL and has no default, and \(root.name) has no property for it. Map one, give "
          + "the column a default, or declare .table(…, isReadOnly: true).")
    }
  }
}

extension MappedTables.Column {
  /// Stands for a column that does not fit, until all is refused.
  static let none = Self(
    name: nil, alias: "", reading: "NULL", entity: nil, form: nil, fillsNil: false)

  /// The same column, which another property writes.
  var unwritten: Self {
    Self(
      name: name, alias: alias, reading: reading, entity: entity, form: nil, fillsNil: fillsNil)
  }
}
