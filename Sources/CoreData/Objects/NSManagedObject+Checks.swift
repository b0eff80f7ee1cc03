// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
public import SporadesMissingFoundation
import SporadesModel

/// Finds the classes whose objects check values themselves: a save calls `validateValue(_:forKey:)` of theirs for each property.
package enum OwnChecks {
  private static let place = MethodPlace(
    of: CheckingProbe.self, PlainProbe.self, NSManagedObject.self)

  /// The properties of an entity that the class checks: all of them, or none.
  package static func properties(
    of entity: NSEntityDescription, _ type: NSManagedObject.Type
  ) -> [String] {
    guard place.isOverridden(in: type) else { return [] }
    return entity.properties.filter { !($0 is NSFetchedPropertyDescription) }.map(\.name)
  }
}

// Classes that nobody makes objects of.
private final class PlainProbe: NSManagedObject {}
private final class CheckingProbe: NSManagedObject {
  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    trap("A probe has no objects.")
  }
}

extension NSManagedObject {
  /// Checks a value of a program against the model.
  func checkModel(_ object: Any?, forKey key: String) throws {
    switch property(named: key) {
    case .attribute(let attribute) where attribute.type == .composite: break
    case .attribute(let attribute):
      let value = try ValueCoding(attribute.description).value(
        of: object, for: "\(entityShape.name).\(key)")
      try check(value, forKey: key)
    case .relationship(let relationship):
      let ids = Self.members(object).map { Value.objectID($0.objectID) }
      try check(relationship.isToMany ? .list(ids) : ids.first ?? .null, forKey: key)
    case .fetched, nil: setValue(object, forUndefinedKey: key)
    }
  }

  // MARK: - Changes of sets that the program announces

  /// Counts the object as changed. It exists for accessors that programs write.
  public func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) { willChangeValue(forKey: inKey) }

  /// Does nothing. It exists for code that calls it behind the change of a set.
  public func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
    using inObjects: Set<AnyHashable>
  ) { didChangeValue(forKey: inKey) }
}

// The errors of direct calls of validateForInsert() and others have Core Data's numbers.
extension ValidationError: CustomNSError {
  public static var errorDomain: String { NSCocoaErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { (NSError.coreData(self) as NSError).userInfo }
}
