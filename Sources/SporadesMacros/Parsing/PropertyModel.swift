// SPDX-License-Identifier: MIT
import SwiftSyntax

/// A stored property of an entity as its source tells it.
struct PropertyModel {
  /// What a marker makes of a property, with the marker's arguments as they were written.
  enum Kind {
    case plain
    case attribute(options: [ExprSyntax])
    case relationship([Argument])
    case transient
    case derived(from: ExprSyntax)
  }

  struct Argument {
    let label: String
    let expression: String
  }

  /// The name in the model.
  let name: String
  /// The name in the source, which may need back-ticks.
  let identifier: String
  let type: TypeSyntax
  let initialValue: ExprSyntax?
  let kind: Kind

  var isReadOnly: Bool { if case .derived = kind { true } else { false } }

  /// The type as an expression whose value is the type.
  var typeExpression: String {
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(unwrapped.wrappedType.trimmedDescription)?.self"
    }
    let text = type.trimmedDescription
    let needsParentheses = type.is(SomeOrAnyTypeSyntax.self) || type.is(CompositionTypeSyntax.self)
    return needsParentheses ? "(\(text)).self" : "\(text).self"
  }
}
