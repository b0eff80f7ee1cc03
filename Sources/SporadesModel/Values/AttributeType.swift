// SPDX-License-Identifier: MIT

/// The kind of value an attribute holds; the numbers are Core Data's own, since version hashes
/// are made of them.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100
}
