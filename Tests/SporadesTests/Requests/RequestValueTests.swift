// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// Values of objects and of groups, with their Swift types.
@Suite struct RequestValueTests {
  private typealias Player = Club.Player

  @Test func pluckedValuesHaveTheTypesOfTheirProperties() throws {
    try Club.eachPlace { (context) throws in
      let players = Player.sorted(by: \.name)
      #expect(try players.pluck(\.age, in: context) == [30, 20, 25, 25, 41, 19])
      #expect(try players.pluck(\.nickname, in: context) == ["ann", "bob", nil, nil, nil, nil])
      #expect(try players.limit(1).pluck(\.score, in: context) == [15])
      #expect(try players.pluck(\.rank, in: context).map(\.rawValue) == [1, 0, 0, 0, 1, 0])
      #expect(try players.pluck(\.isActive, in: context).count { $0 } == 4)
      #expect(try players.pluck(\.born, in: context).compactMap(\.self) == [])
      #expect(
        try players.pluck(\.team?.name, in: context) == [
          nil, "Reds", "Reds", "Blues", nil, "Blues",
        ])
      #expect(try players.pluck(\.medals.count, in: context) == [0, 0, 1, 1, 0, 0])
      let objects = try players.fetch(in: context)
      #expect(try players.pluck(\.objectID, in: context) == objects.map(\.objectID))
      #expect(try players.pluck(\.self, in: context).elementsEqual(objects, by: ===))
      let teams = try players.pluck(\.team, in: context)
      #expect(teams.count == 6 && teams[0] == nil && teams[1] === objects[1].team)
    }
  }

  @Test func severalColumnsAreTuples() throws {
    try Club.eachPlace { (context) throws in
      let players = Player.where(\.age < 26).sorted(by: \.age, \.name)
      let pairs = try players.pluck(\.name, \.age, in: context)
      #expect(
        pairs.map(\.0) == ["Fay", "Bob", "Cid", "Dan"] && pairs.map(\.1) == [19, 20, 25, 25])
      let rows = try players.limit(1).pluck(\.name, \.age, \.team?.name, in: context)
      #expect(rows.count == 1 && rows[0] == ("Fay", 19, "Blues"))
      let wide = try players.offset(3).pluck(\.name, \.age, \.score, \.isActive, in: context)
      #expect(wide.count == 1 && wide[0] == ("Dan", 25, 12.5, true))
    }
  }

  @Test func distinctValuesAppearOnce() throws {
    try Club.eachPlace { (context) throws in
      let ages = Player.sorted(by: \.age).distinct()
      #expect(try ages.pluck(\.age, in: context) == [19, 20, 25, 30, 41])
      #expect(try ages.limit(2).offset(1).pluck(\.age, in: context) == [20, 25])
      let pairs = try Player.where(\.age == 25).distinct().pluck(\.age, \.isActive, in: context)
      #expect(pairs.count == 1)
    }
  }

  @Test func groupsHaveKeysAndTypedValues() throws {
    try Club.eachPlace { (context) throws in
      let teams = try Player.request
        .grouped(by: \.team?.name) { ($0.count, $0.average(\.age)) }
        .fetch(in: context)
      #expect(teams.map(\.0) == [nil, "Blues", "Reds"])
      #expect(teams.map(\.1.0) == [2, 2, 2])
      #expect(teams.map(\.1.1) == [35.5, 22, 22.5])

      let ages = try Player.where(\.isActive).grouped(by: \.age) { $0.count }.fetch(in: context)
      #expect(Dictionary(uniqueKeysWithValues: ages) == [19: 1, 20: 1, 25: 2])

      let all = try Player.where(\.team != nil)
        .grouped(by: \.team?.name, \.age) {
          ($0.count, $0.sum(\.age), $0.min(\.name), $0.max(\.score), $0.count(\.nickname))
        }
        .fetch(in: context)
      #expect(all.count == 4)
      #expect(all[1].0 == ("Blues", 25))
      #expect(all[1].1 == (1, 25, "Dan", 12.5, 0))
    }
  }

  @Test func groupsAreChosenAndOrdered() throws {
    try Club.eachPlace { (context) throws in
      let ages = Player.request.grouped(by: \.age) { ($0.count, $0.max(\.name)) }
      #expect(try ages.having { $0.count > 1 }.fetch(in: context).map(\.0) == [25])
      let young = ages.having { $0.max(\.age) < 30 }.sorted { .descending($0.max(\.age)) }
      #expect(try young.fetch(in: context).map(\.0) == [25, 20, 19])
      #expect(try young.having { $0.count == 1 }.fetch(in: context).map(\.0) == [20, 19])
      #expect(try young.limit(1).offset(1).fetch(in: context).map(\.0) == [20])
      let ordered = ages.sorted { .descending($0.count) }
        .thenSorted { .ascending($0.min(\.name)) }
      #expect(try ordered.fetch(in: context).map(\.0) == [25, 30, 20, 41, 19])
      #expect(
        try ages.having { $0.sum(\.age) > 30 && $0.count != 2 }.fetch(in: context).map(\.0) == [41])
    }
  }

  @Test func distinctValuesOfAGroupAreCounted() throws {
    try Club.eachPlace { (context) throws in
      let teams = try Player.request.grouped(by: \.isActive) {
        ($0.count(distinct: \.age), $0.count(\.team))
      }
      .fetch(in: context)
      #expect(teams.map(\.1.0) == [2, 3] && teams.map(\.1.1) == [0, 4])
    }
  }

  @Test func valuesThatNoColumnHasAreRefused() throws {
    let service = DALService(inMemory: Club.entities)
    try service.writeSync { Club.fill($0.managedObjectContext) }.get()
    func refusal(_ body: (ManagedObjectContext) throws -> Int) -> String {
      let error = #expect(throws: DALError.self) { try service.readValue(body) }
      return error?.description ?? ""
    }
    #expect(
      refusal { try Player.request.pluck(\.medals, in: $0).count }.contains("no single value"))
    #expect(
      refusal { try Player.request.pluck(\.medals.isEmpty, in: $0).count }.contains(
        "is a condition"))
    #expect(
      refusal { try Player.request.pluck(\.initial, in: $0).count }.contains("no stored property"))
    #expect(
      refusal { try Player.request.pluck(\.team!.name, in: $0).count }.contains(
        "Write ? instead of !"))
    #expect(
      refusal { try Player.request.grouped(by: \.medals) { $0.count }.fetch(in: $0).count }
        .contains("no single value"))
    #expect(
      refusal {
        try Player.request.grouped(by: \.age) { $0.count(distinct: \.medals.count) }.fetch(in: $0)
          .count
      }
      .contains("count(distinct:)"))
  }
}
