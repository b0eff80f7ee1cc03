// SPDX-License-Identifier: MIT

// Functions with more than one argument, most of them of texts. They count characters, so that none is cut.
extension FetchFunction {
  /// Applies a function of single values. The result is null if one of them is null or of another kind.
  public func apply(_ values: [Value]) -> Value {
    guard values.count == argumentCount, let first = values.first else { return .null }
    guard values.count > 1 else { return apply(first) }
    if self == .zoneClock || self == .zoneMoment { return apply(first, zone: values[1]) }
    guard let text = ValueOrder.text(first) else { return .null }
    let result: String?
    switch self {
    case .prefix: result = Self.count(values[1]).map { String(text.prefix($0)) }
    case .suffix: result = Self.count(values[1]).map { String(text.suffix($0)) }
    case .substring: result = Self.part(of: text, values[1], values[2])
    case .replace: result = Self.replace(text, values[1], values[2])
    case .concat: result = ValueOrder.text(values[1]).map { text + $0 }
    default: result = nil
    }
    return result.map { .string($0) } ?? .null
  }

  /// The text without white space at its ends.
  static func trim(_ text: String) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// A number of characters. A negative one is none.
  private static func count(_ value: Value) -> Int? {
    ValueOrder.Number(value)?.whole.map { Int(clamping: Swift.max($0, 0)) }
  }

  private static func part(of text: String, _ start: Value, _ length: Value) -> String? {
    guard let start = count(start), let length = count(length) else { return nil }
    return String(text.dropFirst(start).prefix(length))
  }

  /// An empty text is nowhere.
  private static func replace(_ text: String, _ old: Value, _ new: Value) -> String? {
    guard let old = ValueOrder.text(old), let new = ValueOrder.text(new) else { return nil }
    return old.isEmpty ? text : text.replacing(old, with: new)
  }
}
