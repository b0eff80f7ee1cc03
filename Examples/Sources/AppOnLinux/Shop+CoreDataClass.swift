// SPDX-License-Identifier: MIT
import CoreData
import Foundation

/// A place that sells things. Xcode wrote this file and the one beside it ("Manual/None"); `sporades port` put the conditions
/// around the attributes of Objective-C.
#if canImport(ObjectiveC)
  @objc(Shop)
#endif
public class Shop: NSManagedObject {
  /// The price of all that is still to buy.
  var sum: Decimal {
    let items = items as? Set<Item> ?? []
    return items.filter { !$0.isBought }.reduce(0) { sum, item in
      sum + (item.price?.decimalValue ?? 0) * Decimal(item.count)
    }
  }
}
