// SPDX-License-Identifier: MIT
import SporadesModel

extension PropertyDeclaration {
  /// The bounds of the attribute that its own default breaks. Xcode's models may have such defaults; in a
  /// declaration they are a mistake.
  var problemsOfDefault: [ModelError.Problem] {
    guard let attribute, !attribute.defaultValue.isNull else { return [] }
    let bounds = attribute.validation
    let value = attribute.defaultValue
    var breaches: [String] = []
    if let order = ValueOrder.compare(value, bounds.minimum), order < 0 {
      breaches.append("is below the minimum, \(bounds.minimum.debugDescription)")
    }
    if let order = ValueOrder.compare(value, bounds.maximum), order > 0 {
      breaches.append("is above the maximum, \(bounds.maximum.debugDescription)")
    }
    if case .string(let text) = value {
      let length = text.utf16.count
      if let least = bounds.minimumLength, length < least {
        breaches.append("has fewer than \(least) characters")
      }
      if let most = bounds.maximumLength, length > most {
        breaches.append("has more than \(most) characters")
      }
    }
    return breaches.map {
      .init(
        .invalidDefault,
        "has the default \(value.debugDescription), which \($0), so a new object could not be saved as it is; choose "
          + "another default, leave it out, or widen the bounds.")
    }
  }
}
