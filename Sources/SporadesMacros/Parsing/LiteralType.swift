// SPDX-License-Identifier: MIT
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
  /// The type that Swift infers for a literal; nil for every other expression.
  var literalType: TypeSyntax? {
    if let signed = self.as(PrefixOperatorExprSyntax.self) {
      let number = signed.expression
      guard ["-", "+"].contains(signed.operator.text),
        number.is(IntegerLiteralExprSyntax.self) || number.is(FloatLiteralExprSyntax.self)
      else { return nil }
      return number.literalType
    }
    switch kind {
    case .stringLiteralExpr: return "String"
    case .integerLiteralExpr: return "Int"
    case .floatLiteralExpr: return "Double"
    case .booleanLiteralExpr: return "Bool"
    default: return nil
    }
  }

  /// The text of a string literal without interpolations.
  var stringLiteral: String? {
    self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
  }

  /// The names in a key path literal.
  var keyPathNames: [String]? {
    guard let path = self.as(KeyPathExprSyntax.self) else { return nil }
    let names = path.components.compactMap { part -> String? in
      part.component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName.identifierText
    }
    let steps = path.components.filter { !$0.component.is(KeyPathOptionalComponentSyntax.self) }
    return names.count == steps.count && !names.isEmpty ? names : nil
  }
}

extension TokenSyntax {
  /// The name without back-ticks.
  var identifierText: String {
    let text = self.text
    return text.hasPrefix("`") && text.hasSuffix("`") ? String(text.dropFirst().dropLast()) : text
  }
}
