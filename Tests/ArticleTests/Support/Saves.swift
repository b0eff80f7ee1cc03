// SPDX-License-Identifier: MIT
import CoreData

/// Hears of saves.
enum Saves {
  /// Runs a body, and waits until one of the contexts that are meant has saved.
  static func next(
    where isMeant: @escaping (NSManagedObjectContext) -> Bool, after body: () -> Void
  ) async {
    let (saves, continuation) = AsyncStream.makeStream(of: Void.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { notification in
      if let context = notification.object as? NSManagedObjectContext, isMeant(context) {
        continuation.yield()
      }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    body()
    for await _ in saves { return }
  }

  /// Runs a body, and waits until the context over a client's file has saved.
  static func next(ofRootOf client: String, after body: () -> Void) async {
    await next(
      where: { context in
        let store = context.persistentStoreCoordinator?.persistentStores.first
        return context.parent == nil && store?.url?.lastPathComponent.contains(client) == true
      }, after: body)
  }
}
