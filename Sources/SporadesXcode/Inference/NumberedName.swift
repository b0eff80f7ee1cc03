// SPDX-License-Identifier: MIT

/// A name that begins with the number of an entity, which no name of an attribute does.
struct NumberedName: Equatable {
  /// The meaning of such a name in a table of rows.
  enum Kind: Equatable {
    /// `Z5_OWNER` beside `ZOWNER`: the number of the linked row's entity. The relationship leads to entity 5.
    case destination
    /// `Z5PETS`: the key of the owner, which is of entity 5 and has a to-many relationship without an inverse.
    case owner
  }

  let column: String
  let kind: Kind
  let number: Int
  let name: String

  /// Nil for a column with any other name. `columns` are the names of all columns of the table.
  init?(column: String, among columns: Set<String>) {
    guard let (number, rest) = Self.split(column, after: "Z") else { return nil }
    let isDestination = rest.hasPrefix("_") && columns.contains("Z" + rest.dropFirst())
    guard isDestination || !rest.hasPrefix("_") else { return nil }
    self.column = column
    self.number = number
    kind = isDestination ? .destination : .owner
    name = String(isDestination ? rest.dropFirst() : rest[...])
  }

  /// The number and the rest of a name; nil if it has another form.
  static func split(_ name: String, after prefix: String) -> (number: Int, rest: String)? {
    guard name.hasPrefix(prefix) else { return nil }
    let body = name.dropFirst(prefix.count)
    let digits = body.prefix { $0.isASCII && $0.isNumber }
    let rest = String(body.dropFirst(digits.count))
    guard let number = Int(digits), !rest.isEmpty else { return nil }
    return (number, rest)
  }
}
