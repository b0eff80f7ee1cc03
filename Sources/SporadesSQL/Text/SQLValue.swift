// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// A value in a database column.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  package var text: String? { if case .text(let text) = self { text } else { nil } }
  package var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }

  /// The value that compares like a constant. The key of another store's object matches no row.
  package init(_ value: Value, _ scope: StoreScope? = nil) {
    self =
      switch value {
      case .null, .list: .null
      case .boolean(let truth): .integer(truth ? 1 : 0)
      case .integer(let number): .integer(number)
      case .double(let number): number.isNaN ? .null : .real(number)
      case .decimal(let number): Self.decimal(number)
      case .string(let text): .text(text)
      case .date(let date): Self.seconds(date)
      case .data(let data): .blob(Array(data))
      case .uuid(let uuid): .blob(uuid.bytes)
      case .url(let url): .text(url.absoluteString)
      case .objectID(let id): .integer(id.scope == scope ? id.key.primaryKey : .min)
      }
  }

  /// The content of a column for a value. A decimal keeps the digits that a number would lose.
  package init(content value: Value) {
    guard case .decimal(let number) = value, !number.isNaN else {
      self.init(value, StoreScope(identifier: "", entityNames: []))
      return
    }
    self = DecimalText.stored(number.description)
  }

  private static func seconds(_ date: Date) -> SQLValue {
    let seconds = date.timeIntervalSinceReferenceDate
    return seconds.isNaN ? .null : .real(seconds)
  }

  private static func decimal(_ number: Decimal) -> SQLValue {
    if number.isNaN { return .null }
    let text = number.description
    if let whole = Int64(text) { return .integer(whole) }
    return Double(text).map { .real($0) } ?? .text(text)
  }

  /// Converts the value to an attribute's type.
  package func modelValue(_ type: AttributeType) -> Value {
    switch (self, type) {
    case (.integer(let number), .boolean): .boolean(number != 0)
    case (.integer(let number), .double), (.integer(let number), .float): .double(Double(number))
    case (.integer(let number), .decimal): .decimal(Decimal(number))
    case (.integer(let number), .date):
      .date(Date(timeIntervalSinceReferenceDate: Double(number)))
    case (.integer(let number), _): .integer(number)
    // because Foundation reads the text of an infinity as 0 or as nothing
    case (.real(let number), .decimal) where !number.isFinite: .decimal(.nan)
    case (.real(let number), .decimal):
      Decimal(string: number.description).map { .decimal($0) } ?? .null
    case (.real(let number), .date): .date(Date(timeIntervalSinceReferenceDate: number))
    case (.real(let number), _): .double(number)
    case (.text(let text), .uri): URL(string: text).map { .url($0) } ?? .null
    case (.text(let text), .decimal): Decimal(string: text).map { .decimal($0) } ?? .null
    case (.text(let text), _): .string(text)
    case (.blob(let bytes), .uuid) where bytes.count == 16: .uuid(Self.uuid(bytes))
    case (.blob(let bytes), .decimal): Self.exactDecimal(bytes)
    case (.blob(let bytes), _): .data(Data(bytes))
    case (.null, _): .null
    }
  }

  /// The digits of a decimal number that no other form of a column keeps.
  private static func exactDecimal(_ bytes: [UInt8]) -> Value {
    let text = DecimalText.text(of: String(decoding: bytes, as: UTF8.self))
    return text.flatMap { Decimal(string: $0) }.map { .decimal($0) } ?? .data(Data(bytes))
  }

  private static func uuid(_ b: [UInt8]) -> UUID {
    UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }
}
