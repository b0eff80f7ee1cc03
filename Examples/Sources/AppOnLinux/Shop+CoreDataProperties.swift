// SPDX-License-Identifier: MIT
import CoreData
import Foundation

extension Shop {
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  public class func fetchRequest() -> NSFetchRequest<Shop> {
    NSFetchRequest<Shop>(entityName: "Shop")
  }

  @NSManaged public var name: String?
  @NSManaged public var items: NSSet?
}

// MARK: Generated accessors for items
extension Shop {
  #if canImport(ObjectiveC)
    @objc(addItemsObject:)
  #endif
  @NSManaged public func addToItems(_ value: Item)

  #if canImport(ObjectiveC)
    @objc(removeItemsObject:)
  #endif
  @NSManaged public func removeFromItems(_ value: Item)

  #if canImport(ObjectiveC)
    @objc(addItems:)
  #endif
  @NSManaged public func addToItems(_ values: NSSet)

  #if canImport(ObjectiveC)
    @objc(removeItems:)
  #endif
  @NSManaged public func removeFromItems(_ values: NSSet)
}

extension Shop: Identifiable {}
