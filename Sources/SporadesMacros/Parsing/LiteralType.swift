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
    case .arrayExpr, .dictionaryExpr: return collectionType
    default: return nil
    }
  }

  /// The type of an array or dictionary whose elements are literals of one type.
  private var collectionType: TypeSyntax? {
    func common(_ values: [ExprSyntax]) -> TypeSyntax? {
      let types = values.map(\.literalType)
      guard let first = types.first ?? nil,
        types.allSatisfy({ $0?.description == first.description })
      else { return nil }
      return first
    }
    if let array = self.as(ArrayExprSyntax.self) {
      return common(array.elements.map(\.expression)).map { "[\(raw: $0)]" }
    }
    guard case .elements(let elements)? = self.as(DictionaryExprSyntax.self)?.content,
      let key = common(elements.map(\.key)), let value = common(elements.map(\.value))
    else { return nil }
    return "[\(raw: key): \(raw: value)]"
  }

  /// The type that an expression names: `Date` in `Date()`, `State` in `State.open`. A function or a
  /// failable initialiser may have another type, so this is only a proposal.
  var probableType: TypeSyntax? {
    if let operation = self.as(SequenceExprSyntax.self) {
      return operation.elements.first?.literalType
    }
    let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression ?? self
    if let array = callee.as(ArrayExprSyntax.self), let element = array.elements.first?.expression,
      self.is(FunctionCallExprSyntax.self), array.elements.count == 1
    {
      return "[\(element.trimmed)]"
    }
    if let pairs = callee.as(DictionaryExprSyntax.self)?.content.as(
      DictionaryElementListSyntax.self),
      self.is(FunctionCallExprSyntax.self), let pair = pairs.first, pairs.count == 1
    {
      return "[\(pair.key.trimmed): \(pair.value.trimmed)]"
    }
    let name = callee.as(MemberAccessExprSyntax.self)?.base ?? callee
    guard let name = name.as(DeclReferenceExprSyntax.self)?.baseName.text,
      name.first?.isUppercase == true
    else { return nil }
    return "\(raw: name)"
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
