// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// The name that a model has in Swift.
enum ModelName {
  /// A name of letters and digits, which no class of the model has: `Shop` for `Shop.xcdatamodeld`.
  static func identifier(_ name: String, beside model: ManagedObjectModel) -> String {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let classes = model.entities.compactMap { entity in
      entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
    }
    let taken = Set(
      classes + model.entities.map(\.name) + model.entities.flatMap(\.propertyNames))
    var identifier = joined.isEmpty || joined.first?.isNumber == true ? "Model\(joined)" : joined
    while taken.contains(identifier) || !SwiftText.canDeclare(type: identifier) {
      identifier += "Model"
    }
    return identifier
  }
}
