// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

extension PropertyParser {
  /// Refuses a relationship whose type shows that it leads to values, or to an optional collection. Returns
  /// whether it did. The compiler finds all other types that no relationship has.
  mutating func refuseValues(of binding: PatternBindingSyntax, _ name: String) -> Bool {
    guard let type = binding.typeAnnotation?.type else { return false }
    var inner = type
    while let wrapped = inner.wrappedType { inner = wrapped }
    let element = inner.elementOfCollection
    if TypeSyntax.valueTypes.contains((element ?? inner).trimmedDescription)
      || inner.is(DictionaryTypeSyntax.self)
    {
      let text = type.trimmedDescription
      diagnostics.append(Diagnostic(.relationshipOfValues(name: name, type: text), at: type))
      return true
    }
    guard element != nil, type.isOptional else { return false }
    let fixed = inner.with(\.trailingTrivia, type.trailingTrivia)
    diagnostics.append(
      Diagnostic(
        .optionalToMany(name: name), at: type, fixIts: [.replace(type, with: fixed, .remove("'?'"))]
      ))
    return true
  }
}

extension TypeSyntax {
  /// The type of the elements of a set or an array; nil for all other types.
  var elementOfCollection: TypeSyntax? {
    if let array = self.as(ArrayTypeSyntax.self) { return array.element }
    guard let name = self.as(IdentifierTypeSyntax.self), ["Set", "Array"].contains(name.name.text),
      case .type(let element)? = name.genericArgumentClause?.arguments.first?.argument
    else { return nil }
    return element
  }

  /// The types of attributes that everybody knows by these names.
  static let valueTypes: Set<String> = [
    "Bool", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int16", "Int32", "Int64",
    "String", "URL", "UUID",
  ]
}
