// SPDX-License-Identifier: MIT

/// A type as source writes it.
indirect enum TypeSyntax: Sendable {
  /// A name of a path, with its generic arguments.
  struct Step: Sendable {
    let name: String
    var arguments: [TypeSyntax] = []
  }

  struct Element: Sendable {
    let label: String?
    let type: TypeSyntax
  }

  struct Parameter: Sendable {
    let type: TypeSyntax
    var isInout = false
    var isVariadic = false
    /// The parameter is marked `@escaping`.
    var isEscaping = false
  }

  struct Function: Sendable {
    var parameters: [Parameter]
    var result: TypeSyntax
    /// The names of the attributes, such as `Sendable`, and of global actors.
    var attributes: [String] = []
    /// The text of `@convention`.
    var convention: String?
    var isThrowing = false
    var thrown: TypeSyntax?
  }

  case path([Step])
  case optional(TypeSyntax)
  case array(TypeSyntax)
  case dictionary(TypeSyntax, TypeSyntax)
  case tuple([Element])
  case function(Function)
  case composition([TypeSyntax])
  /// `T.Type`
  case metatype(TypeSyntax)
  /// `P.Protocol`
  case protocolMetatype(TypeSyntax)
}

/// The reason why a type cannot be read or resolved, and the remedy.
struct TypeFailure: Error {
  let problem: String
  let remedy: String
}
