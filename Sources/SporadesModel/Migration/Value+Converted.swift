// SPDX-License-Identifier: MIT
import FoundationEssentials

extension Value {
  /// The same value for an attribute of another type; nil if no value of that type has the same meaning.
  ///
  /// The inferred migration follows the same rules, and refuses texts that are spelled otherwise than the new value would
  /// be. A UUID in small letters is the exception.
  package func converted(to type: AttributeType) -> Value? {
    if isNull { return .null }
    switch type {
    case .integer16, .integer32, .integer64:
      return whole(in: type.integerRange).map { .integer($0) }
    case .boolean: return truth
    case .double, .float: return real(type)
    case .decimal: return decimal
    case .string: return text.map { .string($0) }
    case .date: return date
    case .uuid: return uuid
    case .uri: return uri
    case .binary, .transformable: if case .data = self { return self } else { return nil }
    case .undefined, .objectID, .composite: return nil
    }
  }

  private func whole(in range: ClosedRange<Int64>) -> Int64? {
    let number: Int64? =
      switch self {
      case .integer(let number): number
      case .boolean(let truth): truth ? 1 : 0
      case .double(let number): Int64(exactly: number)
      case .decimal(let number): Int64(number.description)
      case .string(let text): Int64(text)
      default: nil
      }
    return number.flatMap { range.contains($0) ? $0 : nil }
  }

  private var truth: Value? {
    if case .string(let text) = self {
      return ["true": .boolean(true), "false": .boolean(false)][text]
    }
    return whole(in: 0...1).map { .boolean($0 == 1) }
  }

  private func real(_ type: AttributeType) -> Value? {
    let number: Double? =
      switch self {
      case .double(let number): number
      case .integer(let number): Double(exactly: number)
      case .boolean(let truth): truth ? 1 : 0
      case .decimal(let number): Double(number.description)
      case .string(let text): Double(text)
      case .date(let date): date.timeIntervalSinceReferenceDate
      default: nil
      }
    guard let number else { return nil }
    if type == .float, !number.isNaN, Double(Float(number)) != number { return nil }
    return .double(number)
  }

  private var decimal: Value? {
    switch self {
    case .decimal: self
    case .integer(let number): .decimal(Decimal(number))
    case .boolean(let truth): .decimal(truth ? 1 : 0)
    case .double(let number):
      number.isFinite ? Decimal(string: number.description).map { .decimal($0) } : nil
    case .string(let text):
      Double(text) == nil ? nil : Decimal(string: text).map { .decimal($0) }
    default: nil
    }
  }

  private var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .boolean(let truth): truth ? "true" : "false"
    case .double(let number): number.isFinite ? number.description : nil
    case .decimal(let number): number.isNaN ? nil : number.description
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    default: nil
    }
  }

  private var date: Value? {
    switch self {
    case .date: self
    case .double(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .integer(let seconds):
      Double(exactly: seconds).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    default: nil
    }
  }

  private var uuid: Value? {
    switch self {
    case .uuid: self
    case .string(let text): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  private var uri: Value? {
    switch self {
    case .url: self
    case .string(let text): URL(string: text).map { .url($0) }
    default: nil
    }
  }
}
