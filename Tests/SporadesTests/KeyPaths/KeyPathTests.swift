// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesGraph

/// Which key paths fetches know, and that they refuse all others.
@Suite struct KeyPathTests {
  private func names<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>
  ) throws -> String { try KeyPathNames.names(of: keyPath).joined(separator: ".") }

  @Test func storedPropertiesHaveTheirNames() throws {
    #expect(try names(\Ship.name) == "name")
    #expect(try names(\Ship.rig) == "rig" && names(\Ship.cargo) == "cargo")
    #expect(try names(\Ship.code) == "code" && names(\Ship.scratch) == "scratch")
    #expect(try names(\Ship.captain) == "captain" && names(\Company.fleet) == "fleet")
    #expect(try names(\User.petCount) == "petCount" && names(\Pet.diet) == "diet")
  }

  @Test func inheritedPropertiesHaveTheirNames() throws {
    #expect(try names(\Ferry.cars) == "cars" && names(\Ferry.name) == "name")
    #expect(try names(\Ferry.berth?.depth?.high) == "berth.depth.high")
    #expect(try names(\Ferry.code) == "code" && names(\Tug.code) == "code")
    #expect(try names(\Tug.owner?.name) == "owner.name")
    #expect(try names(\Manager.name) == "name" && names(\Manager.boss?.name) == "boss.name")
    #expect(try names(\Manager.boss!.boss!.salary) == "boss.boss.salary")
  }

  @Test func relationshipsAreFollowed() throws {
    #expect(try names(\Ship.owner?.name) == "owner.name")
    #expect(try names(\Ship.owner!.name) == "owner.name")
    #expect(try names(\Ship.owner?.fleet) == "owner.fleet")
    #expect(try names(\Ship.captain?.ship?.captain?.name) == "captain.ship.captain.name")
    #expect(try names(\Ship.captain!.ship!.captain?.name) == "captain.ship.captain.name")
    #expect(try names(\Captain.company.name) == "company.name")
    #expect(try names(\Captain.company?.name) == "company.name")
    #expect(
      try names(\Captain.ship?.captain?.company.seat.city) == "ship.captain.company.seat.city")
    #expect(try names(\Seat.company?.seat.city) == "company.seat.city")
    #expect(try names(\Company.seat.company?.seat.size.length) == "seat.company.seat.size.length")
  }

  @Test func membersOfCompositesAreReached() throws {
    #expect(
      try names(\Ship.berth?.pier) == "berth.pier" && names(\Ship.berth!.number) == "berth.number")
    #expect(
      try names(\Ship.berth?.depth) == "berth.depth" && names(\Ship.size.length) == "size.length")
    #expect(try names(\Ship.berth?.size.length) == "berth.size.length")
    #expect(try names(\Ship.berth!.depth!.low) == "berth.depth.low")
    #expect(try names(\Ship.owner?.seat.size.length) == "owner.seat.size.length")
    #expect(try names(\Pet.owner?.address?.position?.latitude) == "owner.address.position.latitude")
  }

  private func refused<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>, behind start: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: FetchPredicateError.self, sourceLocation: location) {
      try KeyPathNames.names(of: keyPath)
    }
    #expect(error?.code == .notStored, sourceLocation: location)
    guard let start else { return }
    #expect(
      error?.detail.contains("goes on behind \(start),") == true, "\(error?.detail ?? "")",
      sourceLocation: location)
  }

  @Test func whatGoesOnBehindAPropertyIsRefused() {
    refused(\Ship.score.magnitude, behind: "score")
    refused(\Ship.link?.path, behind: "link")
    refused(\Ship.name.count, behind: "name")
    refused(\Ship.nickname?.count, behind: "nickname")
    refused(\Ship.nickname!.isEmpty, behind: "nickname")
    refused(\Ship.launched?.timeIntervalSinceReferenceDate, behind: "launched")
    refused(\Ship.rig.rawValue, behind: "rig")
    refused(\Ship.cargo[0])
    refused(\Ship.cargo.first)
    refused(\Ship.berth?.depth?.mean, behind: "berth.depth")
    refused(\Ship.berth!.label)
    refused(\Ship.berth?.size.length.magnitude)
    refused(\Ship.owner?.name.count)
    refused(\Ship.owner?.seat.city.count)
    refused(\Company.fleet.count)
    refused(\Company.fleet.first?.name)
    refused(\Company.captains.first?.company.name)
    refused(\Ferry.name.count)
    refused(\Ship.debt.description)
  }

  @Test func computedPropertiesAreRefused() {
    refused(\Ship.isOld)
    refused(\Ship.owed)
    refused(\Ship.title)
    refused(\Ship.ownersName)
    refused(\Ship.isSelected)
    refused(\Ship.objectID)
    refused(\Ship.hasChanges)
    refused(\Ship.self)
    refused(\Ferry.title)
    refused(\Ferry.hasCars)
    refused(\Ship.owner?.first?.name)
    refused(\Ship.owner?.seat.town)
    refused(\Seat.company?.seat.town)
    refused(\User.fullName)
    refused(\User.address?.label)
  }

  // MARK: - Every way to say a key path

  @Test func everyFinderRefusesWhatIsNoProperty() throws {
    try Harbour.stack().newContext().performAndWait { context in
      let ship = Ship.create(in: context)
      ship.debt = 20
      func refuses<Output>(
        _ body: () throws -> Output, at location: SourceLocation = #_sourceLocation
      ) {
        let error = #expect(throws: FetchPredicateError.self, sourceLocation: location) {
          _ = try body()
        }
        #expect(error?.code == .notStored, sourceLocation: location)
      }
      for _ in 0..<2 {
        refuses { try Ship.all(where: \.score.magnitude > 5, in: context) }
        refuses { try Ship.all(where: \.link!.path == "/b", in: context) }
        refuses { try Ship.all(where: \.isOld == true || \.name == "x", in: context) }
        refuses { try Ship.all(where: !(\.owed < 0), in: context) }
        refuses { try Ship.all(where: (\Ship.title).hasPrefix("a"), in: context) }
        refuses { try Ship.count(where: \.name.count ~= 1...2, in: context) }
        refuses { try Ship.count(where: \.name.count ~= [1], in: context) }
        refuses { try Ship.first(where: \.owner?.first == nil, in: context) }
        refuses { try Ship.deleteAll(where: \.isOld == true, in: context) }
        refuses { try Ship.all(sortedBy: \.name.count, in: context) }
        refuses { try Ship.first(sortedBy: \.title, in: context) }
        refuses { try Ship.max(\.name.count, in: context) }
        refuses { try Ship.sum(\.owed, in: context) }
        refuses { try Ship.average(\.score.magnitude, in: context) }
        refuses { try Ship.firstOrCreate(\.size.length.bitWidthOfOne, equalTo: 1, in: context) }
        #expect(try Ship.count(in: context) == 1)
        try context.save()
      }
    }
  }

  @Test func aRefusedKeyPathFailsTheBlock() throws {
    let service = DALService(stack: try Harbour.stack())
    let error = #expect(throws: DALError.self) {
      try service.read { context in _ = Ship.all(where: \.isOld == true, in: context) }.get()
    }
    guard case .predicate(let cause)? = error?.code else {
      Issue.record("The block failed with \(String(describing: error)).")
      return
    }
    #expect(cause.code == .notStored)
  }

  @Test func aClassWithoutKeyPathsSaysSo() {
    let error = #expect(throws: FetchPredicateError.self) {
      try KeyPathNames.names(of: \Unlisted.name)
    }
    #expect(error?.detail.contains("override propertyKeyPaths") == true)
  }
}

extension Int {
  fileprivate var bitWidthOfOne: Int {
    get { 1 }
    set {}
  }
}

private final class Unlisted: ManagedObject {
  override class func makeObject(_ seed: ObjectSeed) -> ManagedObject { Unlisted(seed) }

  override class var declaration: EntityDeclaration {
    EntityDeclaration(
      Unlisted.self, name: "Unlisted", properties: [.property("name", String.self)])
  }
  var name: String {
    get { self[property: 0] }
    set { self[property: 0] = newValue }
  }
}
