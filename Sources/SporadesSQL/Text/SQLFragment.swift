// SPDX-License-Identifier: MIT

/// A piece of SQL: text, names, and bound values, which never become part of the text.
///
/// ```swift
/// let condition: SQLFragment = "\(name: "t0").\(name: "ZAGE") > \(.integer(18))"
/// ```
package struct SQLFragment: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case text(String)
    case identifier(String)
    case binding(SQLValue)
    /// A number of parameters with commas between them. They get their values when the statement runs.
    case parameters(Int)
    case sameness(SQLSameness)

    /// An estimate of the segment's text in bytes.
    fileprivate var roughCount: Int {
      switch self {
      case .text(let text), .identifier(let text): text.utf8.count
      case .parameters(let count): 3 * count
      case .binding, .sameness: 2
      }
    }
  }
  package private(set) var segments: [Segment]

  package init(segments: [Segment] = []) { self.segments = segments }
  package init(text: String) { segments = [.text(text)] }

  /// A parameter that gets its value when the statement runs.
  package static let parameter = SQLFragment.parameters(1)

  package var isEmpty: Bool { segments.isEmpty }

  package static func += (left: inout SQLFragment, right: SQLFragment) {
    left.segments += right.segments
  }

  fileprivate mutating func append(text: String) { segments.append(.text(text)) }

  /// The statement in the dialect of one database.
  package func rendered(in dialect: any SQLDialect) -> SQLStatement {
    var sql = ""
    sql.reserveCapacity(segments.reduce(0) { $0 + $1.roughCount })
    var bindings: [SQLValue] = []
    var parameters = 0
    for segment in segments {
      switch segment {
      case .text(let text): sql += text
      case .identifier(let name): sql += dialect.quoted(name)
      case .binding(let value):
        bindings.append(value)
        sql += dialect.placeholder(bindings.count)
      case .parameters(let count):
        for place in 0..<count {
          if place > 0 { sql += ", " }
          parameters += 1
          sql += dialect.placeholder(parameters)
        }
      case .sameness(let comparison): sql += dialect.word(for: comparison)
      }
    }
    precondition(
      parameters == 0 || bindings.isEmpty,
      "A statement has values or parameters; the numbers of both would be mixed up: \(sql)")
    return SQLStatement(sql, bindings)
  }

  /// The text of a fragment without bound values, for parts of statements that are built once.
  package func text(in dialect: any SQLDialect) -> String { rendered(in: dialect).sql }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { segments = value.isEmpty ? [] : [.text(value)] }

  package init(stringInterpolation: StringInterpolation) {
    segments = stringInterpolation.segments
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { segments.append(.text(literal)) }
    }
    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      segments += fragment.segments
    }
    package mutating func appendInterpolation(name: String) { segments.append(.identifier(name)) }
    /// Appends text that is SQL already.
    package mutating func appendInterpolation(sql: String) { appendLiteral(sql) }
    package mutating func appendInterpolation(_ value: SQLValue) {
      segments.append(.binding(value))
    }
    package mutating func appendInterpolation(_ comparison: SQLSameness) {
      segments.append(.sameness(comparison))
    }
    package mutating func appendInterpolation(names: [String]) {
      segments += SQLFragment.names(names).segments
    }
  }
}

extension SQLFragment {
  /// `ZNAME, ZAGE`
  package static func names(_ names: [String]) -> SQLFragment {
    var segments: [Segment] = []
    segments.reserveCapacity(names.count * 2)
    for name in names {
      if !segments.isEmpty { segments.append(.text(", ")) }
      segments.append(.identifier(name))
    }
    return SQLFragment(segments: segments)
  }

  /// `?, ?`
  package static func parameters(_ count: Int) -> SQLFragment {
    SQLFragment(segments: [.parameters(count)])
  }

  /// `INSERT INTO pet (id, name) VALUES (?, ?)`
  package static func insert(into table: String, _ columns: [String]) -> SQLFragment {
    "INSERT INTO \(name: table) (\(names: columns)) VALUES (\(.parameters(columns.count)))"
  }
}

extension [SQLFragment] {
  package func joined(by separator: String) -> SQLFragment {
    var all = SQLFragment()
    for (place, fragment) in enumerated() {
      if place > 0 { all.append(text: separator) }
      all += fragment
    }
    return all
  }
}

extension SQLFragment {
  /// The same fragment with other names.
  package func renaming(_ names: [String: String]) -> SQLFragment {
    SQLFragment(
      segments: segments.map { segment in
        guard case .identifier(let name) = segment, let other = names[name] else { return segment }
        return .identifier(other)
      })
  }
}
