// SPDX-License-Identifier: MIT
import SporadesModel

// Relationships, as the keys by which an import finds their objects.
extension ExportPlanner {
  mutating func content(
    of relationship: RelationshipShape
  ) throws(ExportError) -> ExportPlan.Content? {
    // The other side tells the links of all other to-many relationships.
    let isTold = relationship.isToMany && !relationship.isOrdered
    var isOfOthers = false
    if case .inverseReference = relationship.storage {
      isOfOthers = isTold && relationship.inverseName != nil
    }
    guard relationship.isStored, !isOfOthers else { return nil }
    let wayBack: ExportPlan.WayBack?
    do throws(CoercionRefusal) {
      wayBack = try rules.fields[relationship.name]?.wayBack
    } catch {
      throw ExportError(.request, "\(shape.name).\(relationship.name): \(error.reason)")
    }
    let destination: EntityShape
    do throws(ImportError) {
      destination = try relationship.importedEntity(in: model)
    } catch {
      throw ExportError(.request, error.detail)
    }
    let leaves = try keyLeaves(of: relationship, destination)
    if let reason = reasonToOmit(relationship, destination, leaves, hasWay: wayBack != nil) {
      omitted.append(OmittedProperty(name: relationship.name, reason: reason))
      return nil
    }
    prefetched.append(relationship.name)
    if let wayBack { return .written(relationship, leaves[0], wayBack) }
    if case .reference(let slot, _) = relationship.storage { return .target(slot: slot, leaves) }
    return .targets(name: relationship.name, leaves)
  }

  /// The attributes by which the objects of a relationship are named; empty if there are none.
  private func keyLeaves(
    of relationship: RelationshipShape, _ destination: EntityShape
  ) throws(ExportError) -> [ExportPlan.Leaf] {
    let named = rules.fields[relationship.name]?.relatedBy ?? []
    let usual =
      relationship.description.userInfo["relatedByAttribute"].map { [$0] }
      ?? UniqueKey.names(of: destination, model) ?? []
    let names = named.isEmpty ? usual : named
    // The mapping with which an import reads the objects of the relationship.
    let theirs =
      rules.fields[relationship.name]?.nested
      ?? (destination.number == shape.number ? rules : MappingRules())
    var leaves: [ExportPlan.Leaf] = []
    for name in names {
      // A single key passes by the closures of its attribute.
      if case .attribute(let attribute)? = destination[name],
        let leaf = try leaf(attribute, name, of: destination, theirs, isKey: names.count == 1)
      {
        leaves.append(leaf)
        continue
      }
      guard !named.isEmpty else { return [] }
      let reason =
        destination[name] == nil
        ? destination.describeMissingProperty(name) : "it is no stored attribute."
      throw ExportError(
        .request, "Objects of \(destination.name) can not be found by \(name): \(reason)")
    }
    return leaves
  }

  /// The sentence that says why a relationship is left out; nil if it is not.
  private func reasonToOmit(
    _ relationship: RelationshipShape, _ destination: EntityShape, _ leaves: [ExportPlan.Leaf],
    hasWay: Bool
  ) -> String? {
    if leaves.isEmpty {
      return
        "\(destination.name) has no attribute that tells its objects apart. Name one with related(_:by:)."
    }
    guard isFlat || hasWay else { return nil }
    if relationship.isToMany, !hasWay {
      return
        "a field of CSV holds no list. Export JSON, or the other side, or make one text of the list with key(_:to:) … "
        + "writing:."
    }
    return leaves.count > 1
      ? "\(leaves.map(\.name).joined(separator: " and ")) tell objects of \(destination.name) apart, and a field of CSV "
        + "or a closure holds one value. Export JSON, or name one attribute with related(_:by:)."
      : nil
  }
}
