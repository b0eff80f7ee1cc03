// SPDX-License-Identifier: MIT
import FoundationEssentials

extension Value {
  /// Nothing tells the values apart.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): haveSameBits(left, right)
    case (.decimal(let left), .decimal(let right)): left == right || left.isNaN && right.isNaN
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.date(let left), .date(let right)):
      haveSameBits(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.data(let left), .data(let right)): left == right
    case (.uuid(let left), .uuid(let right)): left == right
    case (.url(let left), .url(let right)): left == right
    case (.objectID(let left), .objectID(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.null, _), (.boolean, _), (.integer, _), (.double, _), (.decimal, _), (.string, _),
      (.date, _), (.data, _), (.uuid, _), (.url, _), (.objectID, _), (.list, _):
      false
    }
  }

  private static func haveSameBits(_ left: Double, _ right: Double) -> Bool {
    left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let truth): hasher.combine(truth)
    case .integer(let number): hasher.combine(number)
    case .double(let number): Self.combine(number, into: &hasher)
    case .decimal(let number): hasher.combine(number.isNaN ? Decimal.nan : number)
    case .string(let text): hasher.combine(text)
    case .date(let date): Self.combine(date.timeIntervalSinceReferenceDate, into: &hasher)
    case .data(let data): hasher.combine(data)
    case .uuid(let uuid): hasher.combine(uuid)
    case .url(let url): hasher.combine(url)
    case .objectID(let id): hasher.combine(id)
    case .list(let items): hasher.combine(items)
    }
  }

  private static func combine(_ number: Double, into hasher: inout Hasher) {
    hasher.combine(number.isNaN ? Double.nan.bitPattern : number.bitPattern)
  }
}
