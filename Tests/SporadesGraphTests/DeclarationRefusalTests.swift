// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@Entity private final class Marked: ManagedObject {
  @Attribute(.unique, .length(1...2)) var one: Marked?
  @Attribute(.indexed) var several: Set<Marked>
  @Attribute(.renamed(from: "x")) var ordered: [Marked]
  @Attribute(.externalStorage) var number: Int = 0
  @Attribute(.transformer(named: "JSON")) var text: String = ""
  @Attribute(.satisfies("SELF >")) var broken: Int = 0
  @Attribute(.satisfies("SELF > nothing")) var unknown: Int = 0
  @Attribute(.satisfies("SELF CONTAINS 'x'")) var unfit: Int = 0
  @Attribute(.satisfies("SELF > $x")) var open: Int = 0
  @Attribute(.satisfies("SELF > number")) var sound: Int = 1
  var parts: Parts?
}

@Composite private struct Parts {
  @Attribute(.unique) var code: String = ""
  @Attribute(.indexed) var size: Int = 0
  @Attribute(.satisfies("SELF > nothing")) var depth: Int = 0
  @Attribute(.length(2...4), .satisfies("SELF != 'no'")) var label: String?
}

@Entity private final class Bound: ManagedObject {
  var name: String = ""
  var label: Label?
}

@Composite private struct Label: Equatable {
  @Attribute(.length(2...4), .satisfies("SELF != name")) var text: String?
  @Attribute(.range(1...3)) var size: Int = 1
}

@Entity(isAbstract: true) private class Vessel: ManagedObject { var name: String = "" }
@Entity private final class Boat: Vessel { var oars: Int = 2 }

@Entity private final class Team: ManagedObject {
  var name: String = ""
  @Relationship(inverse: "team", minCount: 1) var players: Set<Player>
  @Relationship(inverse: "bench", minCount: 1) var reserves: [Player]
  @Relationship(minCount: 1) var coach: Player?
  @Relationship(inverse: "fans") var fans: Set<Player>
}

@Entity private final class Player: ManagedObject {
  var name: String = ""
  var team: Team?
  var bench: Team?
  var fans: Set<Team>
}

/// What a declaration says is honoured, or refused by name.
@Suite struct DeclarationRefusalTests {
  @Test func optionsThatMeanNothingAreProblemsOfTheModel() throws {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel([Marked.self]) }
    let problems = Set((error?.problems ?? []).map { "\($0.code.rawValue) \($0.property ?? "")" })
    #expect(
      problems == [
        "misplacedOption one", "misplacedOption several", "misplacedOption ordered",
        "misplacedOption number", "misplacedOption text", "invalidPredicate broken",
        "invalidPredicate unknown", "invalidPredicate unfit", "invalidPredicate open",
        "misplacedOption parts.code", "misplacedOption parts.size", "invalidPredicate parts.depth",
        "ambiguousInverse one", "ambiguousInverse several", "ambiguousInverse ordered",
      ])
    #expect(error?.problems.allSatisfy { $0.entity == "Marked" } == true)
    let one = error?.problems.filter { $0.property == "one" }.map(\.detail).joined() ?? ""
    #expect(one.contains(".unique"))
    #expect(one.contains(".length"))
  }

  @Test(arguments: StoreKind.allCases)
  func membersOfCompositesAreValidated(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Bound.self])
    let stack = DataStack(store: try kind.store(model), classes: [Bound.self])
    try stack.newContext().performAndWait { context in
      let bound = Bound.create(in: context)
      bound.name = "same"
      bound.label = Label(text: "same", size: 4)
      let error = try #require(throws: ValidationError.self) { try context.save() }
      #expect(error.failures.map(\.property) == ["label.text", "label.size"])
      bound.label?.text = "x"
      #expect(throws: ValidationError.self) { try context.save() }
      bound.label = Label(text: "abc", size: 3)
      try context.save()
      bound.label = nil
      try context.save()
    }
  }

  // MARK: - Abstract entities

  @Test(arguments: StoreKind.allCases)
  func abstractEntitiesHaveNoObjectsOfTheirOwn(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Boat.self])
    let stack = DataStack(store: try kind.store(model), classes: [Boat.self])
    try stack.newContext().performAndWait { context in
      let error = #expect(throws: ContextError.self) { try context.insert(entityNamed: "Vessel") }
      guard case .abstractEntity("Vessel")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      Boat.create(in: context).name = "Argo"
      try context.save()
      #expect(try Vessel.first(where: \.name == "Argo", in: context) is Boat)
      #expect(try Vessel.firstOrCreate(\.name, equalTo: "Argo", in: context) is Boat)
    }
  }

  @Test func makingAnObjectOfAnAbstractClassTraps() async {
    await #expect(processExitsWith: .failure) {
      try DeclarationRefusalTests.withVessels { _ = Vessel.create(in: $0) }
    }
    await #expect(processExitsWith: .failure) {
      try DeclarationRefusalTests.withVessels { _ = Vessel(context: $0) }
    }
    await #expect(processExitsWith: .failure) {
      try DeclarationRefusalTests.withVessels {
        _ = try Vessel.firstOrCreate(\.name, equalTo: "x", in: $0)
      }
    }
  }

  private static func withVessels(_ body: (ManagedObjectContext) throws -> Void) throws {
    let model = try ManagedObjectModel([Boat.self])
    try DataStack(store: MemoryStore(model: model), classes: [Boat.self]).newContext()
      .performAndWait(body)
  }

  // MARK: - Least counts

  @Test(arguments: StoreKind.allCases)
  func aLeastCountThatIsDeclaredHolds(in kind: StoreKind) throws {
    let model = try ManagedObjectModel([Team.self])
    let stack = DataStack(store: try kind.store(model), classes: [Team.self])
    let queue = stack.newContext()
    try queue.performAndWait { context in
      let team = Team.create(in: context)
      func lacking() throws -> [String: ValidationError.Code] {
        let error = try #require(throws: ValidationError.self) { try context.save() }
        return Dictionary(
          error.failures.map { ($0.property ?? "", $0.code) }, uniquingKeysWith: { one, _ in one })
      }
      #expect(
        try lacking() == [
          "players": .relationshipLacksMinimumCount, "reserves": .relationshipLacksMinimumCount,
          "coach": .missingMandatoryProperty,
        ])
      let player = Player.create(in: context)
      team.players = [player]
      team.coach = player
      #expect(try lacking() == ["reserves": .relationshipLacksMinimumCount])
      team.reserves = [player]
      try context.save()
      team.players = []
      #expect(try lacking() == ["players": .relationshipLacksMinimumCount])
      context.rollback()
      #expect(team.players == [player])
    }
    // the relationship is not in memory, and is left from the other side
    for leave in [
      { $0.team = nil }, { (player: Player) in player.managedObjectContext?.delete(player) },
    ] {
      try stack.newContext().performAndWait { context in
        let player = try #require(try Player.first(in: context))
        if let coach = try Team.first(in: context) {
          let other = Player.create(in: context)
          coach.coach = other
          coach.reserves = [other]
        }
        leave(player)
        let error = try #require(throws: ValidationError.self) { try context.save() }
        #expect(error.failures.map(\.property) == ["players"])
        #expect(error.code == .relationshipLacksMinimumCount)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func withoutALeastCountNothingIsDemanded(in kind: StoreKind) throws {
    let open = RelationshipDescription.toMany("pets", "Pet", isOptional: false)
    var atLeastOne = RelationshipDescription.toMany("pets", "Pet", isOptional: false)
    atLeastOne.minCount = 1
    var optional = RelationshipDescription.toMany("pets", "Pet")
    optional.minCount = 2
    for (relationship, isValid) in [(open, true), (atLeastOne, false), (optional, true)] {
      let model = try ManagedObjectModel(entities: [
        EntityDescription("Owner", relationships: [relationship]), EntityDescription("Pet"),
      ])
      try kind.stack(model).newContext().performAndWait { context in
        _ = try context.insert(entityNamed: "Owner")
        if isValid {
          try context.save()
        } else {
          #expect(throws: ValidationError.self) { try context.save() }
        }
      }
    }
  }
}
