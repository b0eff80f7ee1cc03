// SPDX-License-Identifier: MIT
import CoreData

/// A list of things to buy by their shops, as a table on a screen would show it. Each change of the rows is a line of text.
@MainActor
final class ItemList: NSObject {
  private let controller: NSFetchedResultsController<Item>
  private var lines: [String] = []
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ context: NSManagedObjectContext) {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "isBought == NO")
    request.sortDescriptors = [
      NSSortDescriptor(key: "shop.name", ascending: true),
      NSSortDescriptor(key: "name", ascending: true),
    ]
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "shop.name",
      cacheName: nil)
    super.init()
    controller.delegate = self
  }

  func load() throws { try controller.performFetch() }

  /// Waits until the rows have changed, and prints what has.
  func printNextChange(after body: () async throws -> Void) async rethrows {
    try await body()
    if lines.isEmpty { await withCheckedContinuation { waiting = $0 } }
    for line in lines.sorted() { print("  \(line)") }
    lines = []
  }

  func printAll() {
    for section in controller.sections ?? [] {
      print(section.name)
      for case let item as Item in section.objects ?? [] {
        print("  \(item.count) x \(item.name ?? "")")
      }
    }
  }

  func item(named name: String) -> Item? {
    controller.fetchedObjects?.first { $0.name == name }
  }

  private func note(_ line: String) { lines.append(line) }

  private func end() {
    waiting?.resume()
    waiting = nil
  }
}

// The context of the main queue tells its changes there.
extension ItemList: NSFetchedResultsControllerDelegate {
  nonisolated func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let name = (anObject as? Item)?.name ?? ""
    MainActor.assumeIsolated {
      switch type {
      case .insert: note("+ \(name)")
      case .delete: note("- \(name)")
      case .move, .update: note("~ \(name)")
      @unknown default: note("? \(name)")
      }
    }
  }

  nonisolated func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    MainActor.assumeIsolated { end() }
  }
}
