// SPDX-License-Identifier: MIT
import SporadesModel

/// Homes for objects that stand for their class: no slots, no context.
enum ProbeHomes {
  private static let nothing: EntityShape = {
    guard let model = try? ManagedObjectModel(entities: [EntityDescription("Probe")]) else {
      preconditionFailure("A model of one entity without properties must be valid.")
    }
    return model.shapes[0]
  }()

  static func home(for type: ManagedObject.Type) -> ObjectHome {
    ObjectHome(EntityBinding(shape: nothing, type: type), context: nil, scope: scope)
  }

  private static let scope = StoreScope(identifier: "PROBE", entityNames: ["Probe"])
}
