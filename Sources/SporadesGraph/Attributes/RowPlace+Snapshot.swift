// SPDX-License-Identifier: MIT
import SporadesModel

extension RowPlace {
  /// The stored values of an object's row by property; `names` restricts them to some properties.
  /// Without `readingFiles`, values in files are left out unless they are in memory.
  ///
  /// A value that can not be read is left out, because a null in its place might be saved. The
  /// context reports the failure, unless `isReplaced` says that a later change has replaced the
  /// value.
  func snapshot(
    _ shape: EntityShape, for object: ManagedObject, only names: [String]? = nil,
    readingFiles: Bool = true, isReplaced: (AttributeShape) -> Bool = { _ in false }
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    let scope = object.home.scope
    for attribute in shape.attributes where attribute.slot != nil || !attribute.elements.isEmpty {
      guard names?.contains(attribute.name) ?? true, readingFiles || !liesInFile(attribute) else {
        continue
      }
      do {
        values[attribute.name] = try page.storedValue(index, of: attribute)
      } catch {
        guard !isReplaced(attribute) else { continue }
        object.home.context?.report(
          .unreadable(object.objectID, property: attribute.name, error))
      }
    }
    for relationship in shape.relationships where names?.contains(relationship.name) ?? true {
      guard case .reference(let slot, _) = relationship.storage else { continue }
      values[relationship.name] =
        reference(slot).map { .objectID(ManagedObjectID(key: $0, scope: scope)) } ?? .null
    }
    return values
  }

  private func liesInFile(_ attribute: AttributeShape) -> Bool {
    guard let slot = attribute.slot else { return attribute.elements.contains(where: liesInFile) }
    guard page.layout.isLarge(slot) else { return false }
    return page.largeValue(index, slot: slot)?.isInMemory == false
  }
}

extension AttributeShape {
  /// The slots of the attribute, or of its elements.
  var allSlots: [Int] { slot.map { [$0] } ?? elements.flatMap(\.allSlots) }
}
