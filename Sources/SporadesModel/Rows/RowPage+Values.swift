// SPDX-License-Identifier: MIT
package import FoundationEssentials

extension RowPage {
  /// Reads the value of an attribute's slot. The function traps if the value lies in a file.
  public func value(_ index: Int, slot: Int, as type: AttributeType) -> Value {
    guard !isNull(index, slot: slot) else { return .null }
    let word = word(index, slot: slot)
    return switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(bitPattern: word))
    case .boolean: .boolean(word != 0)
    case .double, .float: .double(Double(bitPattern: word))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
    case .string: text(index, slot: slot).map { .string($0) } ?? .null
    case .uri: text(index, slot: slot).flatMap { URL(string: $0) }.map { .url($0) } ?? .null
    case .decimal:
      // A text without the digits of a decimal stands for a decimal that is not a number.
      text(index, slot: slot).map { .decimal(Decimal(string: $0) ?? .nan) } ?? .null
    case .binary, .transformable: dataInMemory(index, slot: slot).map { .data($0) } ?? .null
    case .uuid:
      dataInMemory(index, slot: slot).flatMap(UUID.init(bytes:)).map { .uuid($0) } ?? .null
    case .undefined, .objectID, .composite: .null
    }
  }

  /// Reads the key in a reference slot.
  public func reference(_ index: Int, slot: Int) -> RowKey? {
    isNull(index, slot: slot) ? nil : RowKey(rawValue: word(index, slot: slot))
  }

  private func dataInMemory(_ index: Int, slot: Int) -> Data? {
    guard layout.isLarge(slot) else {
      return unsafe withBytes(index, slot: slot) { unsafe Data($0) }
    }
    // `try?`, because a value in memory is read without a file, and the trap names every other.
    guard largeValue(index, slot: slot)?.isInMemory != false,
      let data = try? data(index, slot: slot)
    else {
      preconditionFailure(
        "\(layout.rootEntityName).\(layout.slots[slot].name) lies in a file, which can fail to be read."
      )
    }
    return data
  }
}

extension AttributeType {
  /// Makes the value of the bytes of a slot.
  package func value(_ data: FoundationEssentials.Data) -> Value {
    self == .uuid ? UUID(bytes: data).map { .uuid($0) } ?? .null : .data(data)
  }
}

extension RowPageBuilder {
  /// Sets a slot of the last row to a value of its attribute's type. A null value leaves the slot nil.
  public mutating func set(_ slot: Int, to value: Value) {
    switch value {
    case .null: break
    case .boolean(let truth): set(slot, to: Int64(truth ? 1 : 0))
    case .integer(let number):
      if layout.slots[slot].kind == .real {
        set(slot, to: Double(number))
      } else if layout.slots[slot].kind == .text {
        set(slot, to: String(number))
      } else {
        set(slot, to: number)
      }
    case .double(let number): set(slot, to: number)
    case .decimal(let number): set(slot, to: number.description)
    case .string(let text): set(slot, to: text)
    case .date(let date): set(slot, to: date.timeIntervalSinceReferenceDate)
    case .data(let data): set(slot, to: data)
    case .uuid(let uuid): set(slot, to: uuid.bytes)
    case .url(let url): set(slot, to: url.absoluteString)
    case .objectID(let id): set(slot, to: id.key)
    case .list: preconditionFailure("No slot can hold a list; set a single value.")
    }
  }
}

extension UUID {
  /// The sixteen bytes, in the form of rows.
  package var bytes: [UInt8] {
    let all = uuid
    return [
      all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7, all.8, all.9, all.10, all.11, all.12,
      all.13, all.14, all.15,
    ]
  }

  init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    let all = Array(bytes)
    self.init(
      uuid: (
        all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7], all[8], all[9], all[10],
        all[11], all[12], all[13], all[14], all[15]
      ))
  }
}
