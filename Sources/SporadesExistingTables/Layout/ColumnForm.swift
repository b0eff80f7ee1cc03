// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSQL

/// The way of an attribute's values into a column of an existing database and back.
///
/// Moments without a zone are those of UTC, and a day is its midnight there.
struct ColumnForm: Sendable {
  /// What stands before and behind the column where it is read.
  let reading: (before: String, behind: String)
  /// What stands before and behind the parameter where it is written. The server turns numbers and texts into the column's
  /// type by itself.
  let writing: (before: String, behind: String)
  let bound: ColumnBound

  private init(
    _ bound: ColumnBound = .none, reading: (String, String) = ("", ""),
    writing: (String, String) = ("", "")
  ) {
    (self.bound, self.reading, self.writing) = (bound, reading, writing)
  }

  /// The form of a key of another row.
  static func reference(_ other: OtherKey?) -> ColumnForm {
    other.map { ColumnForm(writing: $0.writing) } ?? ColumnForm()
  }

  /// The form of an attribute in a column; nil if the column cannot have its values.
  init?(_ type: AttributeType, in column: CatalogColumn, isReadOnly: Bool) {
    switch type {
    case .integer16, .integer32, .integer64:
      // Each number of the column is one of the attribute's.
      guard let range = column.integerRange, type.integerRange.lowerBound <= range.lowerBound
      else { return nil }
      self.init(.whole(range))
    case .boolean:
      guard column.type == "bool" else { return nil }
      self.init()
    case .double, .float:
      guard let form = Self.real(column) else { return nil }
      self = form
    case .decimal:
      guard column.type == "numeric" else { return nil }
      self.init(column.digits)
    case .date:
      guard let form = Self.moment(column) else { return nil }
      self = form
    case .string, .uri:
      guard let form = Self.text(column, isReadOnly: isReadOnly) else { return nil }
      self = form
    case .uuid:
      guard column.type == "uuid" else { return nil }
      self.init()
    case .binary, .transformable:
      switch column.type {
      case "bytea": self.init()
      case "json", "jsonb":
        self.init(
          reading: ("convert_to(", "::text, 'UTF8')"),
          writing: ("convert_from(", ", 'UTF8')::\(column.type)"))
      default: return nil
      }
    case .undefined, .objectID, .composite: return nil
    }
  }

  private static func real(_ column: CatalogColumn) -> ColumnForm? {
    switch column.type {
    case "float8": ColumnForm()
    case "float4": ColumnForm(.single, reading: ("", "::float8"))
    // A number that becomes a numeric by itself loses its last digits.
    case "numeric":
      ColumnForm(
        column.digits, reading: ("", "::float8"), writing: ("", "::text::numeric"))
    default: nil
    }
  }

  private static func moment(_ column: CatalogColumn) -> ColumnForm? {
    switch column.type {
    case "timestamptz": ColumnForm(column.fractions)
    case "timestamp":
      ColumnForm(
        column.fractions, reading: ("(", " AT TIME ZONE 'UTC')"),
        writing: ("(", " AT TIME ZONE 'UTC')"))
    case "date":
      ColumnForm(
        .day, reading: ("(", "::timestamp AT TIME ZONE 'UTC')"),
        writing: ("(", " AT TIME ZONE 'UTC')::date"))
    default: nil
    }
  }

  private static func text(_ column: CatalogColumn, isReadOnly: Bool) -> ColumnForm? {
    if column.isEnum {
      return ColumnForm(
        .labels(Set(column.labels)), reading: ("", "::text"),
        writing: ("", "::\(column.declared)"))
    }
    switch column.type {
    case "text", "varchar": return ColumnForm(column.length)
    case "bpchar", "citext", "name": return ColumnForm(column.length, reading: ("", "::text"))
    case "json", "jsonb":
      return ColumnForm(reading: ("", "::text"), writing: ("", "::\(column.type)"))
    // A text of another type would come back in another spelling.
    default: return isReadOnly ? ColumnForm(reading: ("", "::text")) : nil
    }
  }
}

extension CatalogColumn {
  var integerRange: ClosedRange<Int64>? {
    switch type {
    case "int2": Int64(Int16.min)...Int64(Int16.max)
    case "int4": Int64(Int32.min)...Int64(Int32.max)
    case "int8": .min ... .max
    default: nil
    }
  }

  /// The digits that a decimal column keeps.
  var digits: ColumnBound {
    guard modifier >= 4 else { return .none }
    let scale = (modifier - 4) & 0x7FF
    return .digits(whole: ((modifier - 4) >> 16) - scale, fraction: scale)
  }

  /// The characters that a text column keeps.
  var length: ColumnBound { modifier >= 4 && type != "name" ? .length(modifier - 4) : .none }

  /// The digits of a second that a column keeps.
  var fractions: ColumnBound { 0..<6 ~= modifier ? .fractions(modifier) : .none }
}

/// What a column keeps of the values that an attribute can have. The server would round, cut or refuse the others.
enum ColumnBound: Sendable {
  case none
  case whole(ClosedRange<Int64>)
  /// The number of characters.
  case length(Int)
  /// The digits before and behind the point.
  case digits(whole: Int, fraction: Int)
  /// Numbers of 32 bits.
  case single
  /// The digits of a second.
  case fractions(Int)
  case day
  case labels(Set<String>)

  /// What a value has that the column does not keep, as it stands behind the property's name in a refusal; nil for a value
  /// that it keeps. No row's value is in it.
  func objection(to page: RowPage, _ index: Int, _ slot: Int) -> String? {
    guard !page.isNull(index, slot: slot) else { return nil }
    switch self {
    case .none: return nil
    case .whole(let range):
      return range.contains(Int64(bitPattern: page.word(index, slot: slot)))
        ? nil : "a number outside \(range.lowerBound)...\(range.upperBound)"
    case .length(let length):
      let count = page.text(index, slot: slot)?.unicodeScalars.count ?? 0
      return count <= length ? nil : "a text of \(count) characters, and the column keeps \(length)"
    case .labels(let labels):
      return page.text(index, slot: slot).map(labels.contains) ?? true
        ? nil : "a text that the column's type does not list"
    case .digits(let whole, let fraction):
      let digits = Self.digits(of: page, index, slot)
      guard let digits else { return "a number that has no digits" }
      return digits.whole <= whole && digits.fraction <= fraction
        ? nil : "a number with more digits than the column keeps, \(whole) and \(fraction)"
    case .single:
      let number = Double(bitPattern: page.word(index, slot: slot))
      return number.isNaN || Double(Float(number)) == number
        ? nil : "a number with more digits than 32 bits keep"
    case .fractions(let count):
      return Self.isMultiple(of: (count..<6).reduce(1) { size, _ in size * 10 }, page, index, slot)
        ? nil : "a moment with more digits of a second than the column keeps, \(count)"
    case .day:
      return Self.isMultiple(of: 86_400_000_000, page, index, slot)
        ? nil : "a moment that is no midnight in UTC, and the column keeps days"
    }
  }

  private static func isMultiple(
    of microseconds: Int64, _ page: RowPage, _ index: Int, _ slot: Int
  ) -> Bool {
    let seconds = Double(bitPattern: page.word(index, slot: slot))
    // What no server keeps is refused behind this.
    return ServerDate.microseconds(seconds)?.isMultiple(of: microseconds) ?? true
  }

  private static func digits(
    of page: RowPage, _ index: Int, _ slot: Int
  ) -> (whole: Int, fraction: Int)? {
    let text: String?
    if page.layout.slots[slot].kind == .real {
      let number = Double(bitPattern: page.word(index, slot: slot))
      if number.isNaN { return (0, 0) }
      text = DecimalText.text(of: number)
    } else {
      text = page.text(index, slot: slot).flatMap { DecimalText.text(of: $0) }
    }
    guard let text else { return nil }
    if text == DecimalText.notANumber { return (0, 0) }
    let parts = text.drop { $0 == "-" || $0 == "+" }.split(
      separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? String(parts[1]) : ""
    return (
      parts.first?.drop { $0 == "0" }.count ?? 0,
      fraction.count - fraction.reversed().prefix { $0 == "0" }.count
    )
  }
}
