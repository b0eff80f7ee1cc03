// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
package import SporadesStore

/// The way of one slot's value to the server and back.
package struct ServerColumn: Sendable {
  package let transfer: SlotTransfer
  let type: ServerType

  init(_ transfer: SlotTransfer, _ layout: RowLayout) {
    self.transfer = transfer
    type = ServerType(of: layout.slots[transfer.slot])
  }

  // MARK: - To the server

  /// Appends the values of a slot: one, or two for a key with its entity's name.
  package func append(
    _ page: RowPage, _ index: Int, _ plan: ServerPlan, to values: inout [ServerValue]
  ) throws(StoreError) {
    let slot = transfer.slot
    guard !page.isNull(index, slot: slot) else {
      values.append(.null(type))
      if transfer.transfer == .typedReference { values.append(.null(.text)) }
      return
    }
    switch transfer.transfer {
    case .integer: values.append(try number(Int64(bitPattern: page.word(index, slot: slot)), page))
    case .real: values.append(try real(Double(bitPattern: page.word(index, slot: slot)), page))
    case .text: values.append(.text(try text(page, index)))
    case .decimal:
      let digits = page.text(index, slot: slot) ?? DecimalText.notANumber
      let form = NumericForm.bytes(DecimalText.text(of: digits) ?? DecimalText.notANumber)
      guard let form else { throw refusal("a decimal of many digits", page) }
      values.append(ServerValue(type: .numeric, bytes: form))
    case .bytes, .external:
      values.append(ServerValue(type: type, bytes: try bytes(page, index)))
    case .reference, .typedReference:
      let key = RowKey(rawValue: page.word(index, slot: slot))
      values.append(.int8(key.primaryKey))
      if transfer.transfer == .typedReference {
        values.append(.text(plan.name(ofEntity: key.entity)))
      }
    }
  }

  private func number(_ number: Int64, _ page: RowPage) throws(StoreError) -> ServerValue {
    switch type {
    case .bool: return .bool(number != 0)
    case .int2:
      guard let small = Int16(exactly: number) else { throw refusal("\(number)", page) }
      return .int2(small)
    case .int4:
      guard let small = Int32(exactly: number) else { throw refusal("\(number)", page) }
      return .int4(small)
    default: return .int8(number)
    }
  }

  /// Memory takes what is not a number for nil.
  private func real(_ number: Double, _ page: RowPage) throws(StoreError) -> ServerValue {
    guard !number.isNaN else { return .null(type) }
    guard type == .timestamptz else { return .float8(number) }
    guard let moment = ServerDate.microseconds(number) else {
      throw refusal("a date \(number) seconds from 2001", page)
    }
    return .timestamptz(moment)
  }

  private func text(_ page: RowPage, _ index: Int) throws(StoreError) -> String {
    let whole = unsafe page.withBytes(index, slot: transfer.slot) {
      unsafe String(validating: $0, as: UTF8.self)
    }
    guard let text = whole ?? nil else { throw refusal("a text whose bytes are no UTF-8", page) }
    guard !text.utf8.contains(0) else { throw refusal("a text with the character U+0000", page) }
    return text
  }

  private func bytes(_ page: RowPage, _ index: Int) throws(StoreError) -> [UInt8] {
    try page.bytes(index, slot: transfer.slot).map(Array.init) ?? []
  }

  private func refusal(_ value: String, _ page: RowPage) -> StoreError {
    StoreError(
      .unsupported,
      "\(page.layout.rootEntityName).\(page.layout.slots[transfer.slot].name) has \(value), which PostgreSQL cannot keep. Give it another value."
    )
  }

  // MARK: - From the server

  /// Whether the values of a type on the server have the form that is read. Decimals come as texts, and an administrator may
  /// have bounded a text.
  func reads(_ number: UInt32) -> Bool {
    switch type {
    case .numeric: number == ServerType.text.rawValue
    case .text: [ServerType.text.rawValue, 1042, 1043].contains(number)
    case .int2, .int4, .int8: [20, 21, 23].contains(number)
    default: number == type.rawValue
    }
  }

  /// Sets the slot of the builder's last row. False if the server's value does not have the attribute's type.
  func read(
    _ rows: ServerRows, _ row: Int, _ plan: ServerPlan, into builder: inout RowPageBuilder
  ) -> Bool {
    let slot = transfer.slot
    guard let cell = unsafe rows.cell(row, transfer.place) else { return true }
    switch transfer.transfer {
    case .integer:
      guard let number = unsafe type == .bool ? Self.truth(cell) : ServerRows.integer(cell) else {
        return false
      }
      builder.set(slot, to: number)
    case .real:
      guard let bits = unsafe ServerRows.integer(cell) else { return false }
      guard type == .timestamptz else {
        builder.set(slot, to: Double(bitPattern: UInt64(bitPattern: bits)))
        return true
      }
      guard let seconds = ServerDate.seconds(bits) else { return false }
      builder.set(slot, to: seconds)
    case .text, .bytes, .external:
      guard transfer.length == 0 || cell.count == transfer.length else { return false }
      unsafe builder.setBytes(slot, cell)
    case .decimal:
      guard let text = unsafe DecimalText.text(of: cell) else { return false }
      builder.set(slot, to: text)
    case .reference, .typedReference:
      guard let key = unsafe ServerRows.integer(cell), 0...RowKey.largestPrimaryKey ~= key else {
        return false
      }
      var entity = transfer.destination
      if transfer.transfer == .typedReference {
        guard let known = rows.text(row, transfer.place + 1).flatMap(plan.number(ofEntity:)) else {
          return false
        }
        entity = known
      }
      builder.set(slot, to: RowKey(entity: entity, primaryKey: key))
    }
    return true
  }

  @unsafe
  private static func truth(_ cell: UnsafeRawBufferPointer) -> Int64? {
    cell.count == 1 ? Int64(unsafe cell[0]) : nil
  }
}
