// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension Writer {
  // MARK: - Inserts

  mutating func insert(_ page: RowPage) throws(StoreError) {
    guard page.count > 0 else { return }
    let rows = RowWriter(page, plan, files)
    try coverKeys(of: page)
    var index = 0
    while index < page.count {
      let entity = plan.statements(page.key(index).entity)
      let statement = try statement(.insert, entity.entity, entity.insert)
      do { try rows.insert(from: &index, statement, entity, connection) } catch {
        throw error.isKeyViolation ? plan.conflict([page.key(index)]) : error
      }
    }
  }

  // MARK: - Updates

  /// Updates the rows of all pages. Rows that exchange a unique value violate the constraint for a moment: at the first
  /// violation, the rows that are not updated yet give up their unique values, and get new ones with their own updates.
  mutating func update(
    _ pages: [UpdatedRows], _ conflicts: inout [RowKey]
  ) throws(StoreError) {
    // A row alone passes nothing on, and it may have no savepoint that would undo a cleared value.
    var isParked = pages.reduce(0) { $0 + $1.page.count } < 2
    for (number, rows) in pages.enumerated() {
      var index = 0
      while index < rows.page.count {
        do throws(StoreError) {
          try update(rows, from: &index, &conflicts)
        } catch  where error.isUniqueViolation && !isParked && !connection.isOutsideTransaction {
          // SQLite has undone the statement that failed, and nothing else.
          isParked = true
          try park(rows, from: index)
          for rest in pages[(number + 1)...] { try park(rest, from: 0) }
        }
      }
    }
  }

  /// Updates the rows from `index` on. Afterwards `index` is at the first row that was not updated.
  private mutating func update(
    _ rows: UpdatedRows, from index: inout Int, _ conflicts: inout [RowKey]
  ) throws(StoreError) {
    let page = rows.page
    let writer = RowWriter(page, plan, files)
    let table = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
    let width = page.layout.bitWords
    var current: UpdateStatement?
    var currentStart = 0
    while index < page.count {
      let start = index * width
      let isSame = (0..<width).allSatisfy {
        rows.changedSlots[start + $0] == rows.changedSlots[currentStart + $0]
      }
      if current == nil || !isSame {
        var slots = Array(rows.changedSlots[start..<start + width])
        // The file's triggers write these values.
        for slot in plan.maintained[table].keys { slots[slot >> 6] &= ~(1 << UInt64(slot & 63)) }
        current = try updateStatement(.init(table: table, slots: slots))
        currentStart = start
      }
      guard let update = current else { return }
      let namesFiles = update.transfers.contains { $0.transfer == .external }
      let former = namesFiles ? try files(of: page.key(index), update.transfers) : []
      if try !writer.update(
        index, update.statement, update.transfers, parameters: update.parameters, connection)
      {
        conflicts.append(page.key(index))
      }
      for name in former { files?.drop(name) }
      index += 1
    }
  }

  /// Clears the unique values that are about to change, in the rows from `first` on.
  private func park(_ rows: UpdatedRows, from first: Int) throws(StoreError) {
    let page = rows.page
    let place = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
    for slot in plan.uniqueSlots[place].sorted() {
      let statement = try connection.statement(plan.tableStatements(place).clear(slot))
      for index in first..<page.count where rows.isChanged(index, slot: slot) {
        statement.bind(page.key(index).primaryKey, at: 1)
        try statement.run()
      }
    }
  }

  // MARK: - Deletes

  /// Adds to `conflicts` each row whose version differs from the expected one.
  func compare(_ rows: [RowVersion], _ conflicts: inout [RowKey]) throws(StoreError) {
    for row in rows {
      let place = plan.layout.tablesByEntity[row.key.entity - 1]
      let statement = try statement(.version, place, plan.tableStatements(place).version)
      statement.bind(row.key.primaryKey, at: 1)
      defer { statement.reset() }
      guard try statement.step(), statement.integer(0) == row.version else {
        conflicts.append(row.key)
        continue
      }
    }
  }

  /// Finds the rows that the store does not have, among those of a conflict.
  func missing(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    var missing: [RowKey] = []
    for key in keys {
      let place = plan.layout.tablesByEntity[key.entity - 1]
      let statement = try statement(.version, place, plan.tableStatements(place).version)
      statement.bind(key.primaryKey, at: 1)
      defer { statement.reset() }
      if try !statement.step() { missing.append(key) }
    }
    return missing
  }

  func delete(_ rows: [DeletedRow], _ conflicts: inout [RowKey]) throws(StoreError) {
    var index = 0
    while index < rows.count {
      let entity = rows[index].key.entity
      let end = rows[index...].firstIndex { $0.key.entity != entity } ?? rows.count
      try delete(rows[index..<end], of: entity, &conflicts)
      index = end
    }
  }

  /// Deletes rows of one entity.
  private func delete(
    _ rows: ArraySlice<DeletedRow>, of entity: Int, _ conflicts: inout [RowKey]
  ) throws(StoreError) {
    let place = plan.layout.tablesByEntity[entity - 1]
    let statement = try statement(.delete, place, plan.tableStatements(place).delete)
    let joins = plan.joins[entity - 1]
    for row in rows {
      if plan.namesFiles { for name in try files(of: row.key) { files?.drop(name) } }
      statement.bind(row.key.primaryKey, at: 1)
      statement.bind(row.version, at: 2)
      try statement.run()
      if connection.changes != 1 { conflicts.append(row.key) }
      if !joins.isEmpty { for use in joins { try unlinkAll(row.key, use) } }
    }
  }

  /// The files of a row's large values, or of the changed ones. No row will name them after this.
  func files(
    of key: RowKey, _ changed: [SlotTransfer]? = nil
  ) throws(StoreError) -> [ValueName] {
    guard files != nil, plan.namesFiles else { return [] }
    var names: [ValueName] = []
    let entity = plan.statements(key.entity)
    for transfer in changed ?? entity.insertTransfers
    where transfer.transfer == .external && !(changed == nil && isInHistory(transfer.slot, key)) {
      let statement = try statement(
        .storedName, entity.table << 16 | transfer.slot,
        plan.tableStatements(entity.table).value(
          transfer.slot, ofLength: ValueName.storedCount))
      statement.bind(key.primaryKey, at: 1)
      defer { statement.reset() }
      if try statement.step(), let name = statement.value(0).blob.flatMap({ ValueName(stored: $0) })
      {
        names.append(name)
      }
    }
    return names
  }

  /// The history keeps the value of a deleted object, and so still names the file.
  private func isInHistory(_ slot: Int, _ key: RowKey) -> Bool {
    guard history != nil,
      case .attribute(let attribute) = plan.model.shape(numbered: key.entity).layout.slots[slot]
        .role
    else { return false }
    return attribute.preservesValueInHistoryOnDeletion
  }

  private func unlinkAll(_ key: RowKey, _ use: StorePlan.JoinUse) throws(StoreError) {
    let statement = try statement(
      use.isFirst ? .unlinkFirst : .unlinkSecond, use.join,
      plan.joinStatements(use.join).removeAll(ofFirst: use.isFirst))
    statement.bind(key.primaryKey, at: 1)
    try statement.run()
  }

  /// Removes all rows and links in one transaction, after a commit of the accepted changes.
  mutating func removeAllRows() throws(StoreError) {
    try commit()
    present.forget()
    let unnamed = try transact { (writer) throws(StoreError) -> [ValueName] in
      var names: [ValueName] = []
      if writer.files != nil {
        try UnusedFiles.visitNames(writer.connection) { names.append($0) }
      }
      let plan = writer.plan
      try writer.recordRemovalOfAllRows()
      for place in plan.layout.tables.indices {
        try writer.connection.run(plan.tableStatements(place).deleteAll)
      }
      for place in plan.layout.joins.indices {
        try writer.connection.run(plan.joinStatements(place).deleteAll)
      }
      guard let files = writer.files else { return [] }
      // Rows of the history and of other programs' tables keep the files that they name.
      return try UnusedFiles(folder: files.folder, connection: writer.connection).among(names)
    }
    for name in unnamed { files?.drop(name) }
    files?.settle()
  }
}
