// SPDX-License-Identifier: MIT
public import FoundationEssentials
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

  /// Refuses a file without a model of the program.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "add the product SporadesXcode to the target in Package.swift, and import SporadesXcode"
  )
  public convenience init(openingStoreAt url: URL, classes: [ManagedObject.Type] = []) throws {
    trap("The compiler refuses this call.")
  }
}
