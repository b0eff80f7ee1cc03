// SPDX-License-Identifier: MIT

extension EntityShape {
  /// Describes in a sentence that the entity has no property of a name, and tells the nearest name, or the names it has.
  /// `more` follows where no name is near.
  package func describeMissingProperty(_ name: String, unlessNear more: String = "") -> String {
    let names = properties.map(\.name).sorted()
    guard !names.isEmpty else { return "\(self.name) has no property \(name), nor any other." }
    if let similar = names.first(where: { $0.lowercased() == name.lowercased() }) {
      return "\(self.name) has no property \(name), but it has \(similar)."
    }
    if let nearest = NearNames(name, among: names).nearest {
      return "\(self.name) has no property \(name). The nearest name is \(nearest)."
    }
    let shown = names.prefix(40).joined(separator: ", ")
    let others = names.count > 40 ? " and \(names.count - 40) more" : ""
    return "\(self.name) has no property \(name). It has \(shown)\(others)."
      + (Self.remedy(for: name) ?? more)
  }

  /// The words to write in the place of names that stand for something other than a property.
  private static func remedy(for name: String) -> String? {
    if ["id", "objectid", "pk", "rowid", "z_pk"].contains(name.lowercased()) {
      return " An object has no number. Compare SELF with it or its objectID: SELF == %@."
    }
    if name.contains(where: { "()*+/".contains($0) }) {
      return " A computed value is an expression: "
        + "SortTerm(FetchExpression(format: \"lowercase(title)\"))."
    }
    return nil
  }

  /// Describes in a sentence that no relationship has the name.
  package func describeMissingRelationship(_ name: String) -> String {
    let names = relationships.map(\.name).sorted()
    let list = names.joined(separator: ", ")
    let known = names.isEmpty ? "" : " The relationships of \(self.name) are \(list)."
    if self[name] != nil {
      return "\(self.name).\(name) is no relationship, so it leads to no objects.\(known)"
    }
    let near = NearNames(name, among: names).nearest.map { " The nearest name is \($0)." }
    return "\(self.name) has no relationship \(name).\(near ?? known)"
  }
}
