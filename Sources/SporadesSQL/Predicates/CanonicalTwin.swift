// SPDX-License-Identifier: MIT
import SporadesModel

/// The attribute that is derived from a text with `canonical:`. It holds the form in which `[cd]` compares, so that
/// its index finds the rows of such a comparison: `ZCANONICALNAME >= 'jo' AND ZCANONICALNAME < 'jp'`.
struct CanonicalTwin {
  let operand: SQLOperand

  /// Nil if the comparison looks for no text without case and marks, or the text has no twin.
  init?(
    of comparison: PreparedPredicate.Comparison, _ scopes: SQLScopes, _ context: SQLContext
  ) {
    guard comparison.folding == [.caseInsensitive, .diacriticInsensitive],
      [.equal, .beginsWith].contains(comparison.comparator),
      case .path(let path) = comparison.left, let name = path.shape.attribute?.name,
      case .constant(.string(let text)) = comparison.right, !text.isEmpty
    else { return nil }
    let steps = path.shape.relationships
    let owner =
      steps.last.map { context.model.shape(numbered: $0.destination) }
      ?? scopes[path.start].entity
    guard path.shape.names.count == steps.count + 1,
      let twin = owner.attributes.first(where: { attribute in
        attribute.slot != nil && attribute.description.isCanonical(of: name)
          && owner.hasIndex(beginningWith: attribute.name, in: context.model)
      })
    else { return nil }
    let scope = scopes[path.start]
    operand = scope.operand(steps[...], twin, from: scope.alias, scope.entity)
  }
}

extension AttributeDescription {
  fileprivate func isCanonical(of name: String) -> Bool {
    derivationExpression.flatMap(Derivation.init) == .canonical([name])
  }
}
