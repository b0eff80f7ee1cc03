// SPDX-License-Identifier: MIT
import CoreData

/// A program as an iOS developer writes it: Core Data's names, Xcode's model, and no word about Linux but the
/// conditions around attributes of Objective-C.
@main struct AppOnLinux {
  @MainActor static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "Shopping-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // try? because the system clears the folder some day.
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try Stack.open(in: folder)
    let context = container.viewContext
    let list = ItemList(context)
    try list.load()

    print("A delivery comes in the background:")
    try await list.printNextChange { try await Delivery.import(Delivery.first, into: container) }
    list.printAll()

    print("Milk is bought:")
    try await list.printNextChange {
      list.item(named: "Milk")?.isBought = true
      try context.save()
    }
    list.printAll()

    let request: NSFetchRequest<Shop> = Shop.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    for shop in try context.fetch(request) { print("\(shop.name ?? ""): \(shop.sum) to pay") }
  }
}
