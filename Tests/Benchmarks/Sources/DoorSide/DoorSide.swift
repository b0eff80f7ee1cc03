// SPDX-License-Identifier: MIT
import CoreData
package import DoorTools

/// The work as a program for Core Data does it.
package struct DoorSide {
  private let container: NSPersistentContainer
  private let scale: DoorScale
  private let watch: DoorWatch

  /// Opens a new file.
  package init(_ path: String, _ scale: DoorScale, _ watch: DoorWatch) throws {
    (self.scale, self.watch) = (scale, watch)
    container = NSPersistentContainer(name: "Items", managedObjectModel: DoorItem.model())
    container.persistentStoreDescriptions = [
      NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
    ]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  package func run() throws {
    try inNewContext { context in
      _ = try context.count(for: NSFetchRequest<DoorItem>(entityName: "Item"))
      try watch.time("door_insert", 1) { try insert(context) }
    }
    try inNewContext { context in try watch.time("door_fetch", 1) { try fetch(context) } }
    try inNewContext { context in try watch.time("door_lookup", 1) { try lookUp(context) } }
    try inNewContext { context in
      let request = NSFetchRequest<DoorItem>(entityName: "Item")
      request.fetchLimit = DoorScale.held
      request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
      let items = try context.fetch(request)
      useProperties(items)
      useNames(items)
    }
    try container.persistentStoreCoordinator.remove(
      container.persistentStoreCoordinator.persistentStores[0])
  }

  private func inNewContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait { try body(context) }
  }

  private func insert(_ context: NSManagedObjectContext) throws -> Int {
    for number in 0..<scale.objects {
      let item = DoorItem(context: context)
      item.code = DoorSample.code(number)
      item.name = DoorSample.name(number)
      item.count = DoorSample.count(number)
      item.small = DoorSample.small(number)
      item.date = Date(timeIntervalSinceReferenceDate: DoorSample.seconds(number))
    }
    try context.save()
    return scale.objects
  }

  private func fetch(_ context: NSManagedObjectContext) throws -> Int {
    try context.fetch(NSFetchRequest<DoorItem>(entityName: "Item")).reduce(0) { sum, item in
      sum &+ Int(item.count) &+ (item.name?.utf8.count ?? 0)
    }
  }

  private func lookUp(_ context: NSManagedObjectContext) throws -> Int {
    try (0..<scale.lookups).reduce(0) { sum, index in
      let request = NSFetchRequest<DoorItem>(entityName: "Item")
      request.predicate = NSPredicate(
        format: "code == %@", DoorSample.code(DoorSample.lookup(index, scale)))
      request.fetchLimit = 1
      return sum &+ Int(try context.fetch(request).first?.count ?? -1)
    }
  }

  // MARK: - Properties

  private func useProperties(_ items: [DoorItem]) {
    let (count, name) = (scale.accesses, DoorSample.name(0))
    let date = Date(timeIntervalSinceReferenceDate: 1)
    watch.go("text, read", around: items, count) { item, _ in item.name?.utf8.count ?? 0 }
    watch.go("Int64, read", around: items, count) { item, _ in Int(item.count) }
    watch.go("Int16, read", around: items, count) { item, _ in Int(item.small) }
    watch.go("date, read", around: items, count) { item, _ in item.date == nil ? 0 : 1 }
    watch.go("text, write", around: items, count) { item, _ in
      item.name = name
      return 0
    }
    watch.go("Int64, write", around: items, count) { item, number in
      item.count = DoorSample.count(number)
      return 0
    }
    watch.go("Int16, write", around: items, count) { item, number in
      item.small = DoorSample.small(number)
      return 0
    }
    watch.go("date, write", around: items, count) { item, _ in
      item.date = date
      return 0
    }
  }

  private func useNames(_ items: [DoorItem]) {
    let (count, name) = (scale.namedAccesses, DoorSample.name(0))
    let date = Date(timeIntervalSinceReferenceDate: 1)
    for key in ["name", "count", "small", "date"] {
      watch.go("\(key), read by name", around: items, count) { item, _ in
        let value = item.value(forKey: key) as Any?
        return value == nil ? 0 : 1
      }
    }
    watch.go("name, written by name", around: items, count) { item, _ in
      item.setValue(name, forKey: "name")
      return 0
    }
    watch.go("count, written by name", around: items, count) { item, number in
      item.setValue(DoorSample.count(number), forKey: "count")
      return 0
    }
    watch.go("small, written by name", around: items, count) { item, number in
      item.setValue(DoorSample.small(number), forKey: "small")
      return 0
    }
    watch.go("date, written by name", around: items, count) { item, _ in
      item.setValue(date, forKey: "date")
      return 0
    }
  }
}
