// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

extension PropertyParser {
  /// The declared type, or the type of the initial value; nil, with a diagnostic, if there is none or no
  /// attribute holds it.
  mutating func parseType(of binding: PatternBindingSyntax, _ name: String) -> TypeSyntax? {
    guard let type = binding.typeAnnotation?.type else {
      if let inferred = binding.initializer?.value.literalType { return inferred }
      let example = binding.initializer?.value.probableType?.trimmedDescription ?? "String"
      diagnostics.append(
        Diagnostic(
          .typeNeeded(name: name, example: example), at: binding.pattern,
          fixIts: [addType(to: binding)]))
      return nil
    }
    var inner = type
    while let wrapped = inner.wrappedType { inner = wrapped }
    if inner.is(TupleTypeSyntax.self) {
      diagnostics.append(Diagnostic(.tupleType(name: name), at: binding))
    } else if inner.is(FunctionTypeSyntax.self) {
      diagnostics.append(Diagnostic(.functionType(name: name), at: binding))
    } else if let found = UnstorableType(in: type) {
      refuse(found, name)
    } else if let optional = type.as(OptionalTypeSyntax.self),
      optional.wrappedType.is(OptionalTypeSyntax.self)
    {
      let fixed = optional.wrappedType.with(\.trailingTrivia, type.trailingTrivia)
      diagnostics.append(
        Diagnostic(
          .nestedOptional(name: name), at: type,
          fixIts: [.replace(type, with: fixed, .remove("one '?'"))]))
    } else {
      return type.trimmed
    }
    return nil
  }

  private mutating func refuse(_ found: UnstorableType, _ name: String) {
    let message = MacroDiagnostic.unstorableType(
      name: name, type: found.node.trimmedDescription, remedy: found.remedy)
    let fixIts = found.substitute.map { substitute in
      let fixed = substitute.with(\.trailingTrivia, found.node.trailingTrivia)
      return FixIt.replace(found.node, with: fixed, .useType(substitute.trimmedDescription))
    }
    diagnostics.append(Diagnostic(message, at: found.node, fixIts: fixIts.map { [$0] } ?? []))
  }

  private func addType(to binding: PatternBindingSyntax) -> FixIt {
    let space = binding.initializer == nil ? Trivia() : .space
    let type =
      binding.initializer?.value.probableType
      ?? TypeSyntax(IdentifierTypeSyntax(name: .identifier("<#Type#>")))
    var fixed = binding
    fixed.pattern = binding.pattern.with(\.trailingTrivia, [])
    fixed.typeAnnotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space), type: type.with(\.trailingTrivia, space))
    return .replace(binding, with: fixed, .addType)
  }
}
