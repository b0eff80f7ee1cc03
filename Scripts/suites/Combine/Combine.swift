// SPDX-License-Identifier: MIT
import CoreData
import Foundation

/// Ends a subscription when it is cancelled, or when it goes.
public final class AnyCancellable: Hashable {
  private var end: (() -> Void)?

  /// Takes what ends the subscription.
  public init(_ end: @escaping () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends the subscription, once.
  public func cancel() {
    end?()
    end = nil
  }

  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Tells of changes of a managed object, by the notification of its context.
///
/// Combine's publisher tells before the change; this one tells behind it, at the end of the context's turn.
public struct ObjectChanges {
  private let object: NSManagedObject

  fileprivate init(_ object: NSManagedObject) { self.object = object }

  /// Calls the block for each change until the subscription ends.
  public func sink(receiveValue: @escaping (()) -> Void) -> AnyCancellable {
    // Contexts post their notification on their own queue, where the block belongs.
    nonisolated(unsafe) let receive = receiveValue
    let id = object.objectID
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: object.managedObjectContext, queue: nil
    ) { note in
      let keys = [NSUpdatedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey]
      let changed = keys.compactMap { note.userInfo?[$0] as? Set<NSManagedObject> }.joined()
      if changed.contains(where: { $0.objectID == id }) { receive(()) }
    }
    return AnyCancellable { NotificationCenter.default.removeObserver(token) }
  }
}

extension NSManagedObject {
  /// The changes of the object.
  public var objectWillChange: ObjectChanges { ObjectChanges(self) }
}
