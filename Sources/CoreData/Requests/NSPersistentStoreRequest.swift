// SPDX-License-Identifier: MIT
public import Foundation

/// The kind of a request.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
  case batchInsertRequestType = 5
  case batchUpdateRequestType = 6
  case batchDeleteRequestType = 7
}

/// A question or an order to the stores of a coordinator.
open class NSPersistentStoreRequest: NSObject {
  /// The stores that the request is for; nil for all of them.
  public var affectedStores: [NSPersistentStore]?
  /// The kind of the request.
  public var requestType: NSPersistentStoreRequestType { .saveRequestType }
}

/// The answer to a request.
open class NSPersistentStoreResult: NSObject {}
