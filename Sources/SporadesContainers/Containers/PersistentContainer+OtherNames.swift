// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension PersistentContainer {
  /// Refuses a model file without its module.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "pass the classes as entities:, or add the product SporadesXcode to the target in Package.swift and import SporadesXcode for a model file"
  )
  public convenience init(name: String, classes: [ManagedObject.Type] = []) throws {
    trap("The compiler refuses this call.")
  }
}
