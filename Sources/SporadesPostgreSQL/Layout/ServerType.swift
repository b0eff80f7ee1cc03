// SPDX-License-Identifier: MIT
import SporadesModel

/// The types of a server's values that the store writes and reads. The raw value is the type's number on every server.
package enum ServerType: UInt32, Sendable {
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
  case boolList = 1000
  case byteaList = 1001
  case int2List = 1005
  case int4List = 1007
  case textList = 1009
  case int8List = 1016
  case float8List = 1022
  case timestamptzList = 1185
  case numericList = 1231
  case uuidList = 2951

  /// The type of a list of values; nil for a list.
  var list: ServerType? {
    switch self {
    case .bool: .boolList
    case .bytea: .byteaList
    case .int2: .int2List
    case .int4: .int4List
    case .int8: .int8List
    case .text: .textList
    case .float8: .float8List
    case .timestamptz: .timestamptzList
    case .numeric: .numericList
    case .uuid: .uuidList
    default: nil
    }
  }

  /// The type of the column of a slot. Keys and places are whole numbers.
  init(of slot: RowLayout.Slot) {
    self = if case .attribute(let attribute) = slot.role { Self(attribute.type) } else { .int8 }
  }

  /// The type of the column of an attribute.
  init(_ type: AttributeType) {
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
  var declaration: String { self == .text ? "text COLLATE \"C\"" : name }

  /// The name of the type on a server.
  var name: String {
    switch self {
    case .bool: "boolean"
    case .bytea: "bytea"
    case .int8: "bigint"
    case .int2: "smallint"
    case .int4: "integer"
    case .text: "text"
    case .float8: "double precision"
    case .timestamptz: "timestamptz"
    case .numeric: "numeric"
    case .uuid: "uuid"
    case .boolList: "boolean[]"
    case .byteaList: "bytea[]"
    case .int2List: "smallint[]"
    case .int4List: "integer[]"
    case .textList: "text[]"
    case .int8List: "bigint[]"
    case .float8List: "double precision[]"
    case .timestamptzList: "timestamptz[]"
    case .numericList: "numeric[]"
    case .uuidList: "uuid[]"
    }
  }
}
