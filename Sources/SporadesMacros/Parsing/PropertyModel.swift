// SPDX-License-Identifier: MIT
import SwiftSyntax

/// The property that the source of an entity or composite declares.
struct PropertyModel {
  /// The kind of a property by its marker, with the marker's arguments from the source.
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
  /// The name in the source, which may have back-ticks.
  let identifier: String
  let type: TypeSyntax
  let initialValue: ExprSyntax?
  let kind: Kind

  var isReadOnly: Bool { if case .derived = kind { true } else { false } }

  var isRelationship: Bool { if case .relationship = kind { true } else { false } }

  /// The expression whose value is the type.
  var typeExpression: String {
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(unwrapped.wrappedType.trimmedDescription)?.self"
    }
    return "\(type.trimmedDescription).self"
  }
}
