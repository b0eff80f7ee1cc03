// SPDX-License-Identifier: MIT
public import SporadesModel

/// A reason why something cannot be observed.
public enum ObservationError: DescribedError, Hashable, Sendable {
  /// Each fetch of the request draws its order anew, so no value follows from another.
  case randomOrder(entity: String)
  /// The object was never saved, so no store has a row of it.
  case unsavedObject(ManagedObjectID)
  /// The object belongs to another stack.
  case foreignObject(ManagedObjectID)
  /// The object is of another class.
  case wrongClass(ManagedObjectID, expected: String)
}

extension ObservationError {
  /// A sentence that names the reason and the remedy.
  public var description: String {
    switch self {
    case .randomOrder(let entity):
      "A request for \(entity) has a random order, which no values can follow. Sort by an attribute, and shuffle the "
        + "values."
    case .unsavedObject(let id):
      "The object \(id) was never saved, so it cannot be observed. Observe it after its write has returned."
    case .foreignObject(let id):
      "The object \(id) belongs to another stack. Observe it on the service that it was fetched from."
    case .wrongClass(let id, let expected):
      "The object \(id) is not of the class \(expected). Observe it as an object of the class of its entity."
    }
  }
}
