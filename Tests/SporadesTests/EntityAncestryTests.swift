// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

// Entities whose superclass is not written as `ManagedObject`.

private typealias Root = ManagedObject

@Entity private class Vessel: Root { var name: String = "" }
@Entity private final class Buoy: SporadesGraph.ManagedObject { var depth: Int = 1 }

/// Shares code and is no entity.
private class Logged: ManagedObject {
  final var log: String { "made" }
}

/// Shares code between an entity and its subentity, and is no entity.
private class Rigged: Vessel {
  final var rig: String { "sloop" }
}

@Entity private class Mark: Logged { var colour: String = "red" }
@Entity private final class Light: Mark { var period: Int = 4 }
@Entity private final class Sloop: Rigged { var sails: Int = 2 }

@Suite struct EntityAncestryTests {
  private static let classes = [Vessel.self, Buoy.self, Light.self, Sloop.self]

  @Test func aClassWithoutAnEntityIsPassedOver() throws {
    let model = try ManagedObjectModel(Self.classes)
    let above = Dictionary(
      uniqueKeysWithValues: model.entities.map { ($0.name, $0.superentityName) })
    #expect(
      above == [
        "Vessel": nil, "Buoy": nil, "Mark": nil, "Light": "Mark", "Sloop": "Vessel",
      ])
  }

  @Test func ownPropertiesStandBehindThoseOfTheNearestEntity() throws {
    let model = try ManagedObjectModel(Self.classes)
    let stack = DataStack(store: MemoryStore(model: model), classes: Self.classes)
    try stack.newContext().performAndWait { context in
      let sloop = Sloop.create(in: context)
      (sloop.name, sloop.sails) = ("Ada", 3)
      let light = Light.create(in: context)
      (light.colour, light.period) = ("green", 6)
      Buoy.create(in: context).depth = 9
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let sloop = try #require(try Sloop.first(where: \.name == "Ada", in: context))
      #expect(sloop.sails == 3)
      #expect(sloop.rig == "sloop")
      let light = try #require(try Mark.first(where: \.colour == "green", in: context) as? Light)
      #expect(light.period == 6)
      #expect(light.log == "made")
      #expect(try Vessel.count(in: context) == 1)
      #expect(try Buoy.first(in: context)?.depth == 9)
    }
  }

  @Test func aClassWithoutAnEntityHasNoObjects() async {
    let made = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try EntityAncestryTests.withContext { _ = Rigged.create(in: $0) }
    }
    #expect(text(made).contains("Mark the class @Entity"))
    let named = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Logged.declaration.name
    }
    #expect(text(named).contains("Logged declares no entity. Put @Entity before the class"))
  }

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private static func withContext(_ body: (ManagedObjectContext) throws -> Void) throws {
    let model = try ManagedObjectModel(classes)
    try DataStack(store: MemoryStore(model: model), classes: classes).newContext()
      .performAndWait(body)
  }
}
