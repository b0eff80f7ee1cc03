// SPDX-License-Identifier: MIT
import DoorTools
import Foundation
import Sporades

@Entity final class Item: ManagedObject {
  @Attribute(.unique) var code: String?
  var name: String?
  var count: Int64 = 0
  var small: Int16 = 0
  var date: Date?
}

/// The work as a program for Sporades does it.
struct OurSide {
  private let stack: DataStack
  private let scale: DoorScale
  private let watch: DoorWatch

  /// Opens a new file.
  init(_ path: String, _ scale: DoorScale, _ watch: DoorWatch) throws {
    (self.scale, self.watch) = (scale, watch)
    stack = try DataStack(sqlite: URL(fileURLWithPath: path), entities: [Item.self])
  }

  func run() throws {
    try inNewContext { context in
      _ = try context.count(FetchRequest("Item"))
      try watch.time("door_insert", 1) { try insert(context) }
    }
    try inNewContext { context in try watch.time("door_fetch", 1) { try fetch(context) } }
    try inNewContext { context in try watch.time("door_lookup", 1) { try lookUp(context) } }
    try inNewContext { context in
      let items = try context.fetch(
        Item.self,
        FetchRequest("Item", sortedBy: [SortTerm("count")], limit: DoorScale.held))
      useProperties(items)
      useNames(items)
    }
    try stack.store.close()
  }

  private func inNewContext(_ body: (ManagedObjectContext) throws -> Void) throws {
    try stack.newContext().performAndWait { context in
      // As contexts of Core Data are.
      context.durability = .immediate
      try body(context)
    }
  }

  private func insert(_ context: ManagedObjectContext) throws -> Int {
    for number in 0..<scale.objects {
      let item = Item.create(in: context)
      item.code = DoorSample.code(number)
      item.name = DoorSample.name(number)
      item.count = DoorSample.count(number)
      item.small = DoorSample.small(number)
      item.date = Date(timeIntervalSinceReferenceDate: DoorSample.seconds(number))
    }
    try context.save()
    return scale.objects
  }

  private func fetch(_ context: ManagedObjectContext) throws -> Int {
    try context.fetch(Item.self, FetchRequest("Item")).reduce(0) { sum, item in
      sum &+ Int(item.count) &+ (item.name?.utf8.count ?? 0)
    }
  }

  private func lookUp(_ context: ManagedObjectContext) throws -> Int {
    try (0..<scale.lookups).reduce(0) { sum, index in
      let predicate = try FetchPredicate(
        format: "code == %@", DoorSample.code(DoorSample.lookup(index, scale)))
      let request = FetchRequest("Item", where: predicate, limit: 1)
      return sum &+ Int(try context.fetch(Item.self, request).first?.count ?? -1)
    }
  }

  // MARK: - Properties

  private func useProperties(_ items: [Item]) {
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

  private func useNames(_ items: [Item]) {
    let (count, name) = (scale.namedAccesses, DoorSample.name(0))
    let date = Date(timeIntervalSinceReferenceDate: 1)
    for key in ["name", "count", "small", "date"] {
      watch.go("\(key), read by name", around: items, count) { item, _ in
        item.value(forKey: key).isNull ? 0 : 1
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
