// SPDX-License-Identifier: MIT
import FoundationEssentials

/// Several values as one key. Two keys are equal if ``ValueOrder`` takes their values for equal, one by one; nil
/// equals nil. Decimals are equal only with all their digits.
package struct ValueKey: Hashable, Sendable {
  private var bytes: [UInt8] = []

  package init(_ values: some Sequence<Value>) { for value in values { append(value) } }

  private mutating func append(_ value: Value) {
    guard !ValueOrder.isNil(value) else { return bytes.append(0) }
    switch value {
    case .null: bytes.append(0)
    case .boolean(let truth): append(1, truth ? 1 : 0)
    case .integer(let number): append(1, UInt64(bitPattern: number))
    case .double(let number): append(number)
    case .decimal(let number):
      if let whole = Int64(number.description) {
        append(1, UInt64(bitPattern: whole))
      } else {
        append(3, number.description.utf8)
      }
    case .date(let date): append(4, (date.timeIntervalSinceReferenceDate + 0).bitPattern)
    case .string(let text): append(5, text.utf8)
    case .url(let url): append(5, url.absoluteString.utf8)
    case .data(let data): append(6, data)
    case .uuid(let uuid): append(7, uuid.uuidString.utf8)
    case .objectID(let id):
      append(8, UInt64(id.scope.number))
      append(8, id.key.identity)
    case .list(let items): for item in items { append(item) }
    }
  }

  /// Equal amounts have equal keys, also where one is a whole number.
  private mutating func append(_ number: Double) {
    if let whole = Int64(exactly: number) {
      append(1, UInt64(bitPattern: whole))
    } else {
      append(2, number.bitPattern)
    }
  }

  private mutating func append(_ mark: UInt8, _ word: UInt64) {
    bytes.append(mark)
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
  }

  private mutating func append(_ mark: UInt8, _ content: some Collection<UInt8>) {
    append(mark, UInt64(content.count))
    bytes.append(contentsOf: content)
  }
}
