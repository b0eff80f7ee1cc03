// SPDX-License-Identifier: MIT
import SporadesModel

// New objects by their class.
extension ManagedObjectContext {
  /// Inserts a new object of a class.
  @usableFromInline
  func insertObject(of type: ManagedObject.Type) -> ManagedObject {
    if checksQueue { checkQueue() }
    let seed = seed(for: type)
    let object = seed.home.makeObject(seed)
    insertRow(of: object)
    return object
  }

  /// The parts of a new object of a class.
  func seed(for type: ManagedObject.Type) -> ObjectSeed {
    ObjectSeed(home: home(for: type), key: nextTemporaryKey)
  }
}

extension ManagedObject {
  /// Ends the program, because a class made an object of another one.
  @usableFromInline
  final func refuseClass(_ type: ManagedObject.Type) -> Never {
    trap(
      "\(type) makes objects of the class \(Swift.type(of: self)). A class that declares its entity without the macro @Entity "
        + "overrides makeObject(_:), too.")
  }
}
