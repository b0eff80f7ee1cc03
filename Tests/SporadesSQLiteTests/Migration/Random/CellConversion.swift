// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// What becomes of a value when the type of its attribute changes, as the documentation says.
enum CellConversion {
  typealias Cell = PlainRows.Cell

  private static let whole: Set<AttributeType> = [.boolean, .integer16, .integer32, .integer64]
  private static let real: Set<AttributeType> = [.double, .float, .decimal]

  static func isPossible(from old: AttributeType, to new: AttributeType) -> Bool {
    let numbers = whole.union(real)
    if numbers.contains(old), numbers.contains(new) { return true }
    if old == .string { return numbers.union([.uuid, .uri]).contains(new) }
    if new == .string { return numbers.union([.uuid, .uri]).contains(old) }
    return [old, new] == [.date, .double] || [old, new] == [.double, .date]
  }

  /// The value in the new type; nil if none is equal.
  static func convert(_ cell: Cell, to type: AttributeType) -> Cell? {
    switch cell {
    case .none: return Cell.none
    case .truth(let truth):
      return type == .string ? .text(truth ? "true" : "false") : number(truth ? "1" : "0", type)
    case .whole(let number): return Self.number("\(number)", type)
    case .real(let number):
      if type == .string { return .text("\(number)") }
      return type == .date ? .date(number) : Self.number(spelling(number), type)
    case .decimal(let text): return number(text, type)
    case .date(let seconds): return type == .double ? .real(seconds) : nil
    case .text(let text): return read(text, type)
    case .uuid(let text), .uri(let text): return type == .string ? .text(text) : nil
    case .bytes: return nil
    }
  }

  private static func spelling(_ number: Double) -> String {
    guard let whole = Int64(exactly: number) else { return "\(number)" }
    return "\(whole)"
  }

  /// A number, of which the text is the shortest spelling.
  private static func number(_ text: String, _ type: AttributeType) -> Cell? {
    switch type {
    case .string: return .text(text)
    case .decimal: return .decimal(text)
    case .double: return Double(text).flatMap { spelling($0) == text ? .real($0) : nil }
    case .float:
      return Double(text).flatMap {
        Double(Float($0)) == $0 && spelling($0) == text ? .real($0) : nil
      }
    case .boolean: return text == "1" ? .truth(true) : text == "0" ? .truth(false) : nil
    case .integer16: return Int16(text).map { .whole(Int64($0)) }
    case .integer32: return Int32(text).map { .whole(Int64($0)) }
    case .integer64: return Int64(text).map { .whole($0) }
    default: return nil
    }
  }

  private static func read(_ text: String, _ type: AttributeType) -> Cell? {
    switch type {
    case .uuid: return UUID(uuidString: text).map { .uuid($0.uuidString) }
    case .uri: return URL(string: text)?.absoluteString == text ? .uri(text) : nil
    case .boolean: return text == "true" ? .truth(true) : text == "false" ? .truth(false) : nil
    case .decimal:
      // No sample is a number with a sign, a point or a zero at its beginning.
      return !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? .decimal(text) : nil
    case .double, .float:
      guard let number = Double(text), ["\(number)", spelling(number)].contains(text) else {
        return nil
      }
      return type == .double || Double(Float(number)) == number ? .real(number) : nil
    default:
      guard let found = number(text, type) else { return nil }
      // Only the canonical spelling can be written back.
      return convert(found, to: .string) == .text(text) ? found : nil
    }
  }
}

extension PlainRows.Cell {
  /// The values of samples are few, so that some are equal and others cannot be converted.
  static func sample(_ type: AttributeType, _ number: Int) -> PlainRows.Cell {
    switch type {
    case .integer16: .whole([0, 1, -7, 300, 32_767][number % 5])
    case .integer32: .whole([0, 1, -7, 40_000, 16_777_217][number % 5])
    case .integer64: .whole([0, 1, 12, 3_000_000_000, 9_007_199_254_740_993][number % 5])
    case .decimal: .decimal(["0", "1", "12.5", "-0.1", "12345678901234567890"][number % 5])
    case .double, .float: .real([0, 1, -2.5, 0.125, 70_000][number % 5])
    case .string: .text(["", "1", "Ä ü", "12", "it's; DROP"][number % 5])
    case .boolean: .truth(number % 2 == 0)
    case .date: .date([0, 1.5, -86_400, 700_000_000.25, 1][number % 5])
    case .binary:
      .bytes([UInt8](repeating: UInt8(number % 5), count: [0, 3, 200, 90_000, 20][number % 5]))
    case .uuid: .uuid("00000000-0000-0000-0000-00000000000\(number % 5)")
    case .uri: .uri("https://example.org/\(number % 5)")
    default: .none
    }
  }

  init(_ value: Value) {
    self =
      switch value {
      case .null, .list, .objectID: .none
      case .boolean(let truth): .truth(truth)
      case .integer(let number): .whole(number)
      case .double(let number): .real(number)
      case .decimal(let number): .decimal(number.description)
      case .string(let text): .text(text)
      case .date(let date): .date(date.timeIntervalSinceReferenceDate)
      case .data(let data): .bytes(Array(data))
      case .uuid(let uuid): .uuid(uuid.uuidString)
      case .url(let url): .uri(url.absoluteString)
      }
  }

  var value: Value {
    switch self {
    case .none: .null
    case .truth(let truth): .boolean(truth)
    case .whole(let number): .integer(number)
    case .real(let number): .double(number)
    case .decimal(let text): Decimal(string: text).map { .decimal($0) } ?? .null
    case .text(let text): .string(text)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .bytes(let bytes): .data(Data(bytes))
    case .uuid(let text): UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .uri(let text): URL(string: text).map { .url($0) } ?? .null
    }
  }
}
