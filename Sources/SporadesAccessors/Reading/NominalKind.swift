// SPDX-License-Identifier: MIT

/// The kind of a named type.
enum NominalKind: Hashable, Sendable {
  case `class`, `struct`, `enum`, `protocol`

  init?(word: String) {
    switch word {
    case "class", "actor": self = .class
    case "struct": self = .struct
    case "enum": self = .enum
    case "protocol": self = .protocol
    default: return nil
    }
  }
}
