// SPDX-License-Identifier: MIT
import CoreData

/// The names of the service's notifications.
public struct DALServiceConstants {
  static let handleErrorNotification = "handleErrorNotification"
}

/// The failures that have no caller, which every living service hears.
enum ServiceErrors {
  private static let name = Notification.Name(DALServiceConstants.handleErrorNotification)

  static func post(_ error: any Error, from sender: Any) {
    NotificationCenter.default.post(
      name: name, object: sender, userInfo: ["error": error as NSError])
  }

  static func observe(_ body: @escaping @Sendable (NSError) -> Void) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
      if let error = notification.userInfo?["error"] as? NSError { body(error) }
    }
  }
}
