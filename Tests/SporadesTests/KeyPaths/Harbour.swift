// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting

// Properties of every kind, and computed ones that read them.

@Composite struct Berth: Equatable {
  var pier: String?
  var number: Int = 0
  var depth: Depth?
  var size: Size = Size()
  var label: String { "\(pier ?? "") \(number)" }
}

@Composite struct Depth: Equatable {
  var low: Double = 0
  var high: Double = 0
  var mean: Double { (low + high) / 2 }
}

@Composite struct Size: Equatable {
  var length: Int = 0
}

enum Rig: Int16 {
  case sloop = 3
  case ketch = 4
}

@Entity class Ship: ManagedObject {
  var name: String = ""
  var nickname: String?
  var score: Double = 0
  var debt: Int = 0
  var link: URL?
  var launched: Date?
  var rig: Rig = .sloop
  var cargo: [String] = []
  var berth: Berth?
  var size: Size = Size()
  @Relationship(inverse: \Captain.ship) var captain: Captain?
  @Relationship(inverse: "fleet") var owner: Company?
  @Transient var scratch: Int = 0
  @Ignored var isSelected = false
  public private(set) var code: Int = 0

  var isOld: Bool { debt > 10 }
  var owed: Int { -debt }
  /// Says the same as the name, and is no property of the model.
  var title: String { name }
  var ownersName: String? { owner?.name }
}

@Entity final class Ferry: Ship {
  var cars: Int = 0
  var hasCars: Bool { cars > 0 }
}

@Entity final class Tug: Ship {}

@Entity final class Captain: ManagedObject {
  var name: String = ""
  var ship: Ship?
  @Relationship(inverse: "captains") var company: Company!
}

@Entity final class Company: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "owner") var fleet: Set<Ship>
  @Relationship(inverse: "company") var captains: [Captain]
  @Relationship(inverse: "company") var seat: Seat
  var first: Ship? { fleet.first }
}

@Entity final class Seat: ManagedObject {
  var city: String = ""
  var size: Size = Size()
  @Relationship(inverse: "seat") var company: Company?
  var town: String { city }
}

enum Harbour {
  static let classes: [ManagedObject.Type] = [
    Ship.self, Ferry.self, Tug.self, Captain.self, Company.self, Seat.self,
  ]

  static func stack() throws -> DataStack {
    let model = try ManagedObjectModel(classes)
    return DataStack(store: MemoryStore(model: model), classes: classes)
  }
}
