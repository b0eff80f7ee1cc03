// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

@Entity private final class Bill: ManagedObject {
  var customer: String = ""
  var amount: Decimal = 0
  var weight: Double = 0
  var note: String = ""
}

/// Groups of a service's objects that follow the writes.
@Suite(.timeLimit(.minutes(60))) struct GroupsObservingConcurrencyTests {
  private let service: DALService

  init() throws { service = try League.makeService() }

  private func texts<Key: Sendable, Values: Sendable>(
    _ request: GroupedRequest<Player, Key, Values>
  ) -> Follower<[String]> {
    Follower(service.observe(groups: request).map { $0.map { "\($0.0) \($0.1)" } })
  }

  @Test func countsAndSumsFollowWithoutAQuestion() async throws {
    let groups = texts(Player.request.grouped(by: \.score) { ($0.count, $0.sum(\.score)) })
    await groups.wait(for: [])
    try service.add(["a": 1, "b": 1, "c": 2])
    await groups.wait(for: ["1 (2, 2)", "2 (1, 2)"])
    try service.change("b") { $0.score = 2 }
    await groups.wait(for: ["1 (1, 1)", "2 (2, 4)"])
    try service.writeSync { Player.deleteAll(where: \.score == 1, in: $0) }.get()
    await groups.wait(for: ["2 (2, 4)"])
    #expect(service.liveMetrics.askedAgain == 0)
  }

  @Test func theStoreIsAskedWhenAGreatestValueGoes() async throws {
    try service.add(["a": 1, "b": 5, "c": 3])
    let most = texts(Player.request.grouped(by: \.group) { ($0.max(\.score), $0.min(\.score)) })
    await most.wait(for: ["nil (Optional(5), Optional(1))"])
    try service.add(["d": 9])
    await most.wait(for: ["nil (Optional(9), Optional(1))"])
    try service.change("c") { $0.score = 4 }
    try service.add(["e": 0])
    await most.wait(for: ["nil (Optional(9), Optional(0))"])
    #expect(service.liveMetrics.askedAgain == 0)
    try service.change("d") { $0.score = 2 }
    await most.wait(for: ["nil (Optional(5), Optional(0))"])
    #expect(service.liveMetrics.askedAgain == 1)
  }

  @Test func conditionsOrdersAndLimitsOfGroupsHold() async throws {
    try service.add(["a": 1, "b": 1, "c": 2, "d": 3, "e": 3, "f": 3])
    let large = texts(
      Player.request.grouped(by: \.score) { $0.count }.having { $0.count > 1 }
        .sorted { .descending($0.count) }.limit(1))
    await large.wait(for: ["3 3"])
    try service.add(["g": 1, "h": 1])
    await large.wait(for: ["1 4"])
  }

  @Test func groupsOfRelatedValuesFollowTheOthers() async throws {
    try service.add("a", 1, to: "red")
    let teams = texts(Player.request.grouped(by: \.team?.name) { $0.count })
    await teams.wait(for: ["Optional(\"red\") 1"])
    try service.writeSync { Team.first(in: $0)?.name = "blue" }.get()
    await teams.wait(for: ["Optional(\"blue\") 1"])
  }

  @Test func aMistakeInTheQuestionIsThrown() async throws {
    let follower = texts(Player.request.grouped(by: \.score) { $0.sum(\.score) }.limit(-1))
    await follower.wait(for: "the error") { $0.error != nil }
  }

  /// The store computes sums of decimals and of fractions, and different values. It is asked for a newer answer where a
  /// write concerns the groups, and no other write leads to a value.
  @Test(arguments: [true, false])
  func onlyWhatConcernsTheGroupsAsksTheStore(isFiltered: Bool) async throws {
    let service = DALService(inMemory: [Bill.self])
    func change(_ customer: String, _ body: (Bill) -> Void) throws {
      try service.writeSync { context in
        if let bill = Bill.first(where: \.customer == customer, in: context) { body(bill) }
      }.get()
    }
    func add(_ customer: String, _ amount: Decimal) throws {
      try service.writeSync { context in
        let bill = Bill.create(in: context)
        (bill.customer, bill.amount, bill.weight) = (customer, amount, 0.5)
      }.get()
    }
    try add("ann", 1)
    try add("bob", 2)
    let bills = isFiltered ? Bill.where(\.customer != "bob") : Bill.request
    let request = bills.grouped(by: \.customer) {
      ($0.sum(\.amount), $0.sum(\.weight), $0.count(distinct: \.amount))
    }
    let sums = Follower(
      service.observe(groups: request).map { groups in
        groups.filter { $0.0 == "ann" }.map { "\($0.1)" }
      })
    await sums.wait(for: "the first value") { !$0.values.isEmpty }
    #expect(service.liveMetrics.values == 1)
    try change("ann") { $0.note = "paid" }
    if isFiltered {
      try change("bob") { $0.amount = 20 }
      try add("bob", 30)
    }
    try change("ann") { $0.amount = 1.25 }
    await sums.wait(for: "the changed sum") { $0.last == ["(1.25, 0.5, 1)"] }
    #expect(sums.values.count == 2 && service.liveMetrics.askedAgain == 1)
    try add("ann", 0.5)
    await sums.wait(for: "the larger sum") { $0.last == ["(1.75, 1.0, 2)"] }
    try service.writeSync { Bill.deleteAll(where: \.amount == 0.5, in: $0) }.get()
    await sums.wait(for: "the smaller sum") { $0.last == ["(1.25, 0.5, 1)"] }
    try change("ann") { $0.note = "sent" }
    try change("ann") { $0.weight = 2 }
    await sums.wait(for: "the changed weight") { $0.last == ["(1.25, 2.0, 1)"] }
    #expect(sums.values.count == 5 && service.liveMetrics.askedAgain == 4)
    try service.reset()
    await sums.wait(for: "no sum") { $0.last == [] }
  }
}
