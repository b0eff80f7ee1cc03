// SPDX-License-Identifier: MIT
import SporadesModel

// The rule for a property must fit its kind: a word that nothing reads is a mistake.
extension MappingRules {
  /// The first mistake in the mapping of an entity; nil if there is none. Names that the entity does not have are left to
  /// the caller.
  func mistake(in shape: EntityShape) -> String? {
    if let mistake { return mistake }
    for name in ignored.sorted() {
      guard let point = name.firstIndex(of: "."),
        case .relationship(let relationship)? = shape[String(name[..<point])]
      else { continue }
      return
        "The mapping of \(shape.name) ignores \(name), which is a property of another object. Map that object: "
        + "nested(\\.\(relationship.name), ImportMapping().ignoring(\\.\(name[name.index(after: point)...])))."
    }
    for (name, rule) in fields.sorted(by: { $0.key < $1.key }) {
      if let detail = rule.mistake(in: shape, name) {
        return "The mapping of \(shape.name).\(name): \(detail)"
      }
    }
    return nil
  }
}

extension FieldRule {
  fileprivate func mistake(in shape: EntityShape, _ name: String) -> String? {
    guard !mixesKeys else {
      return
        "several calls of key(_:to:) name its keys, and one of them has a transform or another format of dates. "
        + "Name all keys in one call, of which the first that a record has counts: key(\"a\", \"b\", to:)."
    }
    if case .relationship(let relationship)? = shape[name] { return mistake(in: relationship) }
    guard let leaf = shape.attributes.lazy.flatMap(\.leaves).first(where: { $0.path == path(name) })
    else { return nil }
    if dates != nil, leaf.attribute.type != .date {
      return "it has a format of dates, and takes \(leaf.attribute.type.indefinite). "
        + "Leave the format out."
    }
    let concernsObjects = !relatedBy.isEmpty || missing != nil || toMany != nil || nested != nil
    return concernsObjects
      ? "related(_:by:), members(of:_:) and nested(_:_:) are for relationships, and it is an attribute. Leave them out."
      : nil
  }

  private func path(_ name: String) -> [String] {
    name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private func mistake(in relationship: RelationshipShape) -> String? {
    if dates != nil {
      return "it has a format of dates, and is a relationship. Leave the format out."
    }
    if toMany != nil, !relationship.isToMany {
      return
        "members(of:_:) is for relationships to several objects, and it leads to one. Leave it out."
    }
    return nil
  }
}
