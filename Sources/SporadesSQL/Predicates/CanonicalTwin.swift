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
          && Self.isIndexed(attribute, owner, context.model)
      })
    else { return nil }
    let scope = scopes[path.start]
    operand = SQLOperand(
      scope.value(steps[...], twin, from: scope.alias, scope.entity))
  }
  /// An index begins with the attribute.
  private static func isIndexed(
    _ attribute: AttributeShape, _ owner: EntityShape, _ model: ManagedObjectModel
  ) -> Bool {
    var shape = owner
    while true {
      if shape.description.indexes.contains(where: {
        $0.elements.first?.property == attribute.name && $0.partialIndexPredicate == nil
      }) {
        return true
      }
      guard shape.superNumber > 0 else { return false }
      shape = model.shape(numbered: shape.superNumber)
    }
  }
}

extension AttributeDescription {
  fileprivate func isCanonical(of name: String) -> Bool {
    derivationExpression.flatMap(Derivation.init) == .canonical([name])
  }
}
