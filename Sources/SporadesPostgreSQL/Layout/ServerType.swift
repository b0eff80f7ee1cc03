// SPDX-License-Identifier: MIT
import SporadesModel

/// The types of a server's values that the store writes and reads. The raw value is the type's number on every server.
enum ServerType: UInt32, Sendable {
  case bool = 16
  case bytea = 17
  case int8 = 20
  case int2 = 21
  case int4 = 23
  case text = 25
  case float8 = 701
  case timestamptz = 1184
  case numeric = 1700
  case uuid = 2950
  case int8List = 1016

  /// The type of the column of a slot. Keys and places are whole numbers.
  init(of slot: RowLayout.Slot) {
    self = if case .attribute(let attribute) = slot.role { Self(attribute.type) } else { .int8 }
  }

  private init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .int2
      case .integer32: .int4
      case .integer64: .int8
      case .boolean: .bool
      case .double, .float: .float8
      case .date: .timestamptz
      case .decimal: .numeric
      case .string, .uri: .text
      case .uuid: .uuid
      case .binary, .transformable, .undefined, .objectID, .composite: .bytea
      }
  }

  /// The name of the type in a declaration. Texts have the order of their bytes, as in memory.
  var declaration: String {
    switch self {
    case .bool: "boolean"
    case .bytea: "bytea"
    case .int8: "bigint"
    case .int2: "smallint"
    case .int4: "integer"
    case .text: "text COLLATE \"C\""
    case .float8: "double precision"
    case .timestamptz: "timestamptz"
    case .numeric: "numeric"
    case .uuid: "uuid"
    case .int8List: "bigint[]"
    }
  }

  /// Values travel in the server's binary form, but for decimals: their binary form is a puzzle of ten thousands.
  var isBinary: Bool { self != .numeric }
}
