// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesExplaining
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

// What a store says of the way in which it finds rows.
struct FetchPlanTests {
  private let folder: TemporaryFolder
  private let stack: DataStack

  init() throws {
    folder = try TemporaryFolder()
    stack = try RecordingService.at(folder.file("store.sqlite")).stack()
  }

  private func plan(_ request: FetchRequest) throws -> FetchPlan {
    try stack.main.performAndWait { try $0.explain(request) }
  }

  /// A block of a service asks as a block of a context does.
  @Test func aServiceExplainsInItsBlocks() throws {
    let service = DALService(stack: stack)
    let badge = Member.where(\.badge == "A1")
    let expected = try stack.main.performAndWait { try badge.explain(in: $0) }
    try service.read { context in
      let groups = badge.grouped(by: \.lastname) { $0.count }
      let plan = try badge.explain(in: context)
      #expect(plan == expected)
      #expect(try badge.explain(.count, in: context).isServedByIndexes)
      #expect(try groups.explain(in: context).isServedByIndexes)
    }.get()
  }

  @Test func aFetchOfAllRowsReadsTheTable() throws {
    let plan = try plan(FetchRequest("Member"))
    #expect(plan.steps.map(\.sentence) == ["Reads every row of Member."])
    #expect(!plan.isServedByIndexes)
    #expect(plan.statement?.hasPrefix("SELECT ") == true)
  }

  @Test func aUniqueValueIsFoundByItsIndex() throws {
    let plan = try plan(FetchRequest("Member", where: .equals("badge", "A1")))
    let index = try #require(plan.indexes.first)
    #expect(
      plan.steps.map(\.sentence) == [
        "Finds rows of Member by the index \(index), where badge = a value."
      ])
    #expect(plan.isServedByIndexes)
  }

  @Test func anOrderWithoutAnIndexIsSorted() throws {
    let plan = try plan(FetchRequest("Member", sortedBy: [SortTerm("lastname")]))
    #expect(plan.steps.map(\.work) == [.readAll, .sort])
    #expect(plan.steps.last?.sentence == "Sorts the rows, because no index has their order.")
  }

  @Test func aLinkIsFollowedByItsKey() throws {
    let plan = try plan(FetchRequest("Animal", where: .equals("owner.firstname", "Ann")))
    #expect(plan.steps.map(\.work) == [.readAll, .findByKey])
    #expect(
      plan.steps.last?.sentence == "Finds rows of Member by their key, where the key = a value.")
  }

  @Test func aQuestionAboutMembersIsAPartOfEachRow() throws {
    let some = FetchPredicate.comparison(
      .init(.keyPath("animals.name"), .equal, .constant(.string("Rex")), quantifier: .any))
    let plan = try plan(FetchRequest("Member", where: some))
    #expect(plan.steps.map(\.depth) == [0, 0, 1])
    #expect(
      plan.steps.map(\.sentence)[0...1] == [
        "Reads every row of Member.", "Does for each of these rows:",
      ])
    #expect(plan.steps[2].sentence.hasSuffix("where owner = a value."))
    #expect("\(plan)".contains("\n  Finds rows of Animal by the index "))
  }

  @Test func aRequestExplainsItself() throws {
    let plan = try stack.main.performAndWait {
      try Member.where(\.badge == "A1").timeout(.seconds(100_000)).explain(in: $0)
    }
    #expect(plan.steps.map(\.work) == plan.indexes.map { .find(index: $0) })
    #expect(plan.indexes.count == 1)
  }

  /// The order is that of the groups, and their number is no property.
  @Test func groupsAreExplainedByTheStatementThatMakesThem() throws {
    var request = FetchRequest("Member", sortedBy: [SortTerm("n", ascending: false)])
    request.resultType = .dictionary
    request.propertiesToGroupBy = ["lastname"]
    request.propertiesToFetch = ["lastname", ExpressionDescription("n", .objectCount)]
    let plan = try plan(request)
    #expect(
      plan.steps.map(\.sentence) == [
        "Reads every row of Member.",
        "Sorts the rows into groups, because no index has their order.",
      ])
    #expect(plan.statement?.contains("COUNT(*)") == true)
    #expect(plan.statement?.contains(" GROUP BY 1") == true)
    let typed = try stack.main.performAndWait {
      try Member.where(\.badge == "A1").grouped(by: \.lastname) { $0.count }.explain(in: $0)
    }
    #expect(typed.statement?.contains(" GROUP BY 1") == true)
    #expect(typed.indexes.count == 1 && typed.isServedByIndexes)
  }

  @Test func aCountIsExplainedByItsOwnStatement() throws {
    var request = FetchRequest("Member", where: .equals("badge", "A1"))
    request.resultType = .count
    let plan = try plan(request)
    #expect(plan.statement?.hasPrefix("SELECT COUNT(*) FROM ") == true)
    #expect(plan.isServedByIndexes)
    request.resultType = .managedObjectID
    #expect(try self.plan(request).statement?.contains("COUNT") == false)
  }

  /// Each verb runs a statement of its own.
  @Test func everyVerbIsExplained() throws {
    let verbs: [(ExplainedVerb<Member>, [String])] = [
      (.fetch, ["SELECT "]), (.first, [" LIMIT "]), (.exists, [" LIMIT "]),
      (.ids, ["Z_PK, ", "Z_ENT FROM"]), (.count, ["COUNT(*)"]),
      (.pluck(\.lastname), ["ZLASTNAME FROM"]),
      (.max(\Member.count), ["MAX("]), (.sum(\Member.count), ["SUM("]),
      (.average((\Member.lastname).length), ["SPORADES_MEAN(SPORADES_LENGTH("]),
    ]
    try stack.main.performAndWait { context in
      for (verb, words) in verbs {
        let plan = try Member.where(\.badge == "A1").explain(verb, in: context)
        for word in words {
          #expect(plan.statement?.contains(word) == true, "\(word) in \(plan)")
        }
        #expect(plan.isServedByIndexes, "\(plan)")
      }
      #expect(throws: FetchPredicateError.self) {
        try Member.request.distinct().explain(.sum(\Member.count), in: context)
      }
    }
  }

  /// The store computes no median, so that memory computes it from the rows.
  @Test func whatMemoryComputesIsTold() throws {
    var request = FetchRequest("Member")
    request.resultType = .dictionary
    request.propertiesToFetch = [
      ExpressionDescription("m", .function(.median, [.keyPath("count")]))
    ]
    let sentences = try plan(request).steps.map(\.sentence)
    #expect(
      sentences == ["Reads every row of Member.", "Computes the values in memory from the rows."])
  }

  @Test func openRangesOfAFamilyUseTheIndexAndScansOfAnIndexServeNoCondition() throws {
    let stack = try DataStack(
      sqlite: folder.file("family.sqlite"), entities: [Craft.self, Sailer.self])
    try stack.main.performAndWait { context in
      let fast = try Craft.where(\.speed > 3).explain(in: context)
      #expect(fast.indexes == ["Z_Craft_bySpeed"], "\(fast)")
      #expect(fast.isServedByIndexes, "\(fast)")
      let named = try Craft.where(\.name == "x").explain(in: context)
      #expect(!named.isServedByIndexes, "\(named)")
    }
  }

  @Test func unsavedChangesAreTold() throws {
    let plan = try stack.newContext().performAndWait { context in
      Member.create(in: context)
      return try context.explain(FetchRequest("Member"))
    }
    #expect(
      plan.steps.last?.sentence
        == "Corrects the answer in memory by the unsaved changes of the context.")
  }

  @Test func aStoreInMemoryLooksAtEveryRow() throws {
    let stack = DataStack(store: MemoryStore(model: try .members), classes: [Member.self])
    let plan = try stack.main.performAndWait {
      try $0.explain(FetchRequest("Member", sortedBy: [SortTerm("count")]))
    }
    #expect(plan.statement == nil)
    #expect(plan.steps.map(\.work) == [.readAll, .sort])
  }

  @Test func severalStoresAreToldOneAfterTheOther() throws {
    let coordinator = PersistentStoreCoordinator(model: try .members)
    try coordinator.addPersistentStore(
      SQLiteStore(path: folder.file("first.sqlite").path, model: .members))
    try coordinator.addPersistentStore(MemoryStore(model: .members))
    let stack = DataStack(store: coordinator, classes: [Member.self])
    let plan = try stack.main.performAndWait { try $0.explain(FetchRequest("Member")) }
    #expect(
      plan.steps.map(\.sentence) == [
        "Reads every row of Member.", "Looks at every row of Member in memory.",
        "Merges the rows of 2 stores in memory.",
      ])
  }

  @Test func aRequestThatDoesNotFitIsRefused() throws {
    #expect(throws: FetchPredicateError.self) {
      try plan(FetchRequest("Member", where: .equals("age", 1)))
    }
  }
}

@Entity class Craft: ManagedObject {
  #Index<Craft>([\.speed])
  var name: String = ""
  var speed: Int = 0
}

@Entity final class Sailer: Craft {
  var masts: Int = 1
}
