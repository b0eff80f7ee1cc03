// SPDX-License-Identifier: MIT
import SporadesModel

// An import with the same mapping must find each value under the key under which it is written, and nothing else.
extension ExportPlanner {
  func check(_ columns: [ExportPlan.Column]) throws(ExportError) {
    let leaves = shape.attributes.flatMap { $0.leaves }
    let names = Set(leaves.map { $0.path.joined(separator: ".") })
      .union(shape.relationships.map(\.name))
    let composites = shape.attributes.filter { $0.type == .composite }.map(\.name)
    if let name = Set(rules.fields.keys).union(rules.ignored.subtracting(composites)).subtracting(
      names
    ).min() {
      throw ExportError(
        .request, "The mapping of \(shape.name): \(shape.describeMissingProperty(name))")
    }
    var keys: [String: ExportPlan.Column] = [:]
    for column in columns {
      guard keys.updateValue(column, forKey: column.key) == nil else {
        throw ExportError(
          .request,
          "Two properties of \(shape.name) have the key \(column.key); give one of them another key."
        )
      }
    }
    var list = KeyList()
    for (path, attribute) in leaves where attribute.slot != nil && !attribute.description.isDerived
    {
      try check(path, attribute.description.userInfo, keys, &list)
    }
    for relationship in shape.relationships {
      try check([relationship.name], relationship.description.userInfo, keys, &list)
    }
  }

  private func check(
    _ path: [String], _ notes: [String: String], _ keys: [String: ExportPlan.Column],
    _ list: inout KeyList
  ) throws(ExportError) {
    let name = path.joined(separator: ".")
    guard rules.takes(name) else { return }
    let sources = list.sources(rules.fields[name]?.keys ?? [], notes, path)
    for source in sources {
      let key = String(decoding: list.all[source.key], as: UTF8.self)
      let column = source.rest.reduce(keys[key]) { column, member in
        guard case .group(let members)? = column?.content else { return nil }
        return members.first { $0.key.utf8.elementsEqual(member) }
      }
      guard let column else { continue }
      guard written[name] !== column else { return }
      throw ExportError(
        .request,
        "An import with this mapping would take \(shape.name).\(name) from the key \(column.key), which another property "
          + "has. Give one of them another key, or leave one out with ignoring(_:).")
    }
  }
}
