// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesContainers
import Testing

/// A namespace, because the other tests have entities of these names too.
private enum Garage {
  // snippet: inheritance
  @Entity(isAbstract: true) class Vehicle: ManagedObject {
    var plate: String = ""
    var owner: Driver?
  }

  @Entity final class Car: Vehicle { var doors: Int = 5 }

  @Entity final class Truck: Vehicle { var load: Double = 0 }

  @Entity final class Driver: ManagedObject {
    var name: String = ""
    @Relationship(inverse: \Vehicle.owner) var vehicles: Set<Vehicle>
  }
  // snippet end

  static let entities: [ManagedObject.Type] = [
    Vehicle.self, Car.self, Truck.self, Driver.self,
  ]
}

private enum Office {
  // snippet: derived
  @Entity final class Invoice: ManagedObject {
    @Relationship(deleteRule: .cascade, inverse: \Item.invoice) var items: Set<Item>
    @Derived("items.@count") var itemCount: Int
    @Derived("items.@sum.price") var total: Double
  }

  @Entity final class Item: ManagedObject {
    var name: String = ""
    var price: Double = 0
    var invoice: Invoice?
    @Derived("canonical:(name)") var searchName: String
    @Derived("now()") var savedAt: Date?
  }
  // snippet end
}

private enum Workshop {
  // snippet: enums
  enum State: String, CaseIterable { case open, waiting, done }

  @Entity final class Task: ManagedObject {
    var title: String = ""
    var state: State = .open
    var formerState: State?
  }
  // snippet end
}

@Suite struct ModelDocumentationTests {
  @Test func derived() throws {
    let service = DALService(inMemory: [Office.Invoice.self])
    try service.writeSync { context in
      let invoice = Office.Invoice.create(in: context)
      for (name, price) in [("Äpfel", 2.5), ("Brot", 3)] {
        let item = Office.Item.create(in: context)
        (item.name, item.price, item.invoice) = (name, price, invoice)
      }
    }.get()
    try service.readValue { context in
      let invoice = try #require(try Office.Invoice.first(in: context))
      #expect(invoice.itemCount == 2)
      #expect(invoice.total == 5.5)
      let item = try #require(try Office.Item.first(sortedBy: "price", in: context))
      #expect(item.searchName == "apfel")
      #expect(item.savedAt != nil)
    }
  }

  @Test func inheritance() throws {
    typealias Vehicle = Garage.Vehicle
    typealias Car = Garage.Car
    typealias Truck = Garage.Truck
    let service = DALService(inMemory: Garage.entities)
    try service.writeSync { context in
      let ann = Garage.Driver.create(in: context)
      for plate in ["A 1", "B 2"] {
        let car = Car.create(in: context)
        car.plate = plate
        car.owner = ann
      }
      let truck = Truck.create(in: context)
      truck.plate = "C 3"
      truck.load = 7.5
      truck.owner = ann
    }.get()
    try service.readValue { context in
      // snippet: inheritance-fetching
      let all = try Vehicle.all(sortedBy: \.plate, in: context)  // cars and trucks
      let trucks = try Truck.all(where: \.plate != "B 2" && \.load > 5, in: context)
      let loads = all.compactMap { ($0 as? Truck)?.load }
      // snippet end
      #expect(all.map(\.plate) == ["A 1", "B 2", "C 3"])
      #expect(trucks.count == 1 && loads == [7.5])
    }
  }

  @Test func enums() throws {
    typealias Task = Workshop.Task
    let service = DALService(inMemory: [Task.self])
    try service.writeSync { context in
      Task.create(in: context).title = "Oil"
    }.get()
    // snippet: enums-finding
    try service.writeSync { context in
      for task in Task.all(where: \.state == .open, in: context) {
        task.formerState = task.state
        task.state = .done
      }
    }.get()
    let done = try service.readValue { context in
      try Task.count(where: FetchPredicate(format: "state == 'done'"), in: context)
    }
    // snippet end
    #expect(done == 1)
  }

  @Test func backups() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("documentation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The folder is a temporary one, which the system clears where this fails.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("Shop.sqlite")
    let backup = folder.appendingPathComponent("Backup.sqlite")
    let service = DALService(sqlite: file, entities: Bookshop.entities)
    service.writeSync { Bookshop.Book.create(in: $0).title = "Emma" }
    // snippet: backup
    try await service.copy(to: backup)  // reads and writes go on
    // snippet end
    // snippet: backup-again
    try await service.copy(to: backup, replacing: true)
    // snippet end
    try service.writeSync { Bookshop.Book.create(in: $0).title = "A mistake" }.get()
    // snippet: backup-restoring
    try service.close()
    try SQLiteStore.replace(storeAt: file, withStoreFrom: backup)
    let restored = DALService(sqlite: file, entities: Bookshop.entities)
    let problems = try restored.stack().store.integrityProblems()
    // snippet end
    #expect(problems == [])
    let titles = try restored.readValue { try Bookshop.Book.all(in: $0).map(\.title) }
    #expect(titles == ["Emma"])
    try restored.close()
  }
}
