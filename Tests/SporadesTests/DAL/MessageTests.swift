// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// A message names the failure, its object and the remedy.
@Suite struct MessageTests {
  private func failure(_ body: (ReportingContext) throws -> Void) -> String {
    let service = RecordingService.inMemory()
    return service.writeSync(body).failure.map { "\($0)" } ?? ""
  }

  private func refusal(_ format: String, _ arguments: (any ValueConvertible)?...) -> String {
    do throws(FetchPredicateError) {
      _ = try FetchPredicate(format: format, argumentArray: arguments)
      return ""
    } catch { return "\(error)" }
  }

  @Test func anUnknownPropertyIsNamedWithTheNearestOrWithThoseThereAre() {
    let message = failure { context in
      _ = Member.all(where: try FetchPredicate(format: "fristname == 'Ann'"), in: context)
    }
    let names = "animals, badge, count, firstname, lastname, nickname"
    #expect(message == "Member has no property fristname. The nearest name is firstname.")
    let deep = failure { _ = Animal.all(sortedBy: "owner.nick", in: $0) }
    #expect(
      deep
        == "In owner.nick: Member has no property nick. It has \(names). A computed property of a class is in no store."
    )
  }

  @Test func kindsThatDoNotFitAreNamed() {
    let message = failure { context in
      _ = Member.all(where: try FetchPredicate(format: "count == 'many'"), in: context)
    }
    #expect(
      message
        == "== cannot be used here (count). Its left side is a number, and its right side is text. "
        + "Pass a number, or write it without quotes.")
  }

  @Test func formatsSayWhatThereIsInstead() {
    #expect(refusal("a >> 3").hasSuffix("Use ==, !=, <, <=, > or >=."))
    #expect(refusal("a == 1 & b == 2").hasSuffix("Join conditions by && or AND."))
    #expect(refusal("a == 1 | b == 2").hasSuffix("Join conditions by || or OR."))
    #expect(refusal("a == 'Emma").contains("close it with '."))
    #expect(refusal("a == 1 b == 2").contains("join conditions by AND or OR"))
    #expect(refusal("a == 1 ORDER BY a").hasSuffix("Give the fetch one: sortedBy:."))
    #expect(refusal("a == %@ AND b == %@", 1).hasSuffix("the number of arguments is 1."))
  }

  @Test func boundsAndRulesAreToldWithTheirRemedy() throws {
    let model = try ManagedObjectModel([Bounded.self])
    let stack = DataStack(store: MemoryStore(model: model), classes: [Bounded.self])
    try stack.newContext().performAndWait { context in
      let one = Bounded.create(in: context)
      one.size = 0
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(error?.failures.map(\.detail) == ["is below the minimum, 1."])
      one.size = 5
      let bad = #expect(throws: ValidationError.self) { try context.save() }
      #expect(bad?.failures.map(\.detail) == ["is above the maximum, 3."])
      one.size = 2
      Bounded.create(in: context).owner = one
      try context.save()
      context.delete(one)
      let denied = #expect(throws: ValidationError.self) { try context.save() }
      #expect(denied?.failures.first?.detail.contains("Delete these objects too") == true)
    }
  }

  @Test func whatTheStoreRefusesIsNoFailureOfIt() throws {
    let message = failure { context in
      for _ in 0..<2 { Member.create(in: context).badge = "x" }
    }
    #expect(message.hasPrefix("The store refused the write: Another Member has the same badge"))
    let folder = try TemporaryFolder()
    let file = folder.file("a.sqlite")
    try RecordingService.at(file).close()
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let stack = try DataStack(sqlite: file, entities: [Member.self], options: options)
    let chain = RecordingService(stack: stack, options: RecordingService.options { _ in })
      .writeSync { Member.create(in: $0) }
    let text = chain.failure.map { "\($0)" } ?? ""
    #expect(text.hasPrefix("The store refused the write: \(file.path) was opened for reading only"))
    #expect(text.contains("isReadOnly"))
    let folderAsFile = #expect(throws: StoreError.self) {
      try DataStack(sqlite: folder.url, entities: [Member.self])
    }
    #expect(folderAsFile?.detail.hasSuffix("Name a file.") == true)
  }

  @Test func aChangeInAReadNamesItsObjects() throws {
    let service = RecordingService.inMemory()
    try service.writeSync { Member.create(in: $0) }.get()
    let chain = service.read { Member.first(in: $0)?.firstname = "Ann" }
    #expect("\(try #require(chain.failure))".hasPrefix("A read block changed Member/p1. "))
    let many = service.read { context in
      for _ in 0..<7 { Member.create(in: context) }
    }
    #expect("\(try #require(many.failure))".contains(" and 2 more. The changes were undone"))
  }

  @Test func aModelOfNothingIsRefused() {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel([]) }
    #expect(error.map { "\($0)".contains("The list of classes is empty") } == true)
    let service = RecordingService(
      inMemory: [], options: RecordingService.options { _ in })
    #expect(service.errorsSoFar.count == 1)
  }

  @Test func aContainerSaysHowManyStoresItLoads() throws {
    let container = try PersistentContainer(name: "Members", entities: [Member.self])
    container.persistentStoreDescriptions = []
    let error = #expect(throws: PersistentContainer.LoadError.self) {
      try container.loadPersistentStores()
    }
    #expect(error.map { "\($0)".contains("one description") } == true)
  }

  @Test func aChildOfAnotherStacksContextTraps() async {
    await #expect(processExitsWith: .failure) {
      let (one, other) = (
        try DataStack(inMemory: [Member.self]), try DataStack(inMemory: [Member.self])
      )
      _ = other.newChild(of: one.main)
    }
  }
}

@Entity private final class Bounded: ManagedObject {
  @Attribute(.minimum(1), .maximum(3)) var size: Int = 1
  var owner: Bounded?
  @Relationship(deleteRule: .deny, inverse: \Bounded.owner) var owned: Set<Bounded>
}
