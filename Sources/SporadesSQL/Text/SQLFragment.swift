// SPDX-License-Identifier: MIT

/// A piece of SQL: text, names, and values that are bound, never written into the text.
///
/// ```swift
/// let condition: SQLFragment = "\(name: "t0").\(name: "ZAGE") > \(.integer(18))"
/// ```
package struct SQLFragment: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case text(String)
    case identifier(String)
    case binding(SQLValue)
  }
  package private(set) var segments: [Segment]

  package init(segments: [Segment] = []) { self.segments = segments }
  package init(text: String) { segments = [.text(text)] }

  package var isEmpty: Bool { segments.isEmpty }

  package static func += (left: inout SQLFragment, right: SQLFragment) {
    left.segments += right.segments
  }

  /// The statement, and the values to bind, in order.
  package func rendered() -> (sql: String, bindings: [SQLValue]) {
    var sql = ""
    var bindings: [SQLValue] = []
    for segment in segments {
      switch segment {
      case .text(let text): sql += text
      case .identifier(let name): sql += sqlName(name)
      case .binding(let value):
        bindings.append(value)
        sql += "?"
      }
    }
    return (sql, bindings)
  }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { segments = value.isEmpty ? [] : [.text(value)] }

  package init(stringInterpolation: StringInterpolation) {
    segments = stringInterpolation.segments
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { segments.append(.text(literal)) }
    }
    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      segments += fragment.segments
    }
    package mutating func appendInterpolation(name: String) { segments.append(.identifier(name)) }
    /// Text that is SQL already.
    package mutating func appendInterpolation(sql: String) { segments.append(.text(sql)) }
    package mutating func appendInterpolation(_ value: SQLValue) {
      segments.append(.binding(value))
    }
  }
}

extension [SQLFragment] {
  package func joined(by separator: String) -> SQLFragment {
    var all = SQLFragment()
    for (place, fragment) in enumerated() {
      if place > 0 { all += SQLFragment(text: separator) }
      all += fragment
    }
    return all
  }
}
