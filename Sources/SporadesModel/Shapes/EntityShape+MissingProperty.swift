// SPDX-License-Identifier: MIT

extension EntityShape {
  /// Describes in a sentence that the entity has no property of a name, and tells the nearest name, or the names it has.
  package func describeMissingProperty(_ name: String) -> String {
    let names = properties.map(\.name).sorted()
    guard !names.isEmpty else { return "\(self.name) has no property \(name), nor any other." }
    if let similar = names.first(where: { $0.lowercased() == name.lowercased() }) {
      return "\(self.name) has no property \(name), but it has \(similar)."
    }
    if let nearest = NearNames(name, among: names).nearest {
      return "\(self.name) has no property \(name). The nearest name is \(nearest)."
    }
    let shown = names.prefix(40).joined(separator: ", ")
    let more = names.count > 40 ? " and \(names.count - 40) more" : ""
    return "\(self.name) has no property \(name). It has \(shown)\(more)."
  }

  /// Describes in a sentence that no relationship has the name.
  package func describeMissingRelationship(_ name: String) -> String {
    self[name] == nil
      ? describeMissingProperty(name)
      : "\(self.name).\(name) is no relationship, so it leads to no objects."
  }
}
