// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

extension Member {
  /// A finder that is declared once.
  fileprivate static func largest<Context: FinderContext>(
    _ limit: Int, in context: Context
  ) throws(Context.Failure) -> [Member] {
    try all(sortedBy: \.count, ascending: false, limit: limit, in: context)
  }
}

/// Finders throw on a context, and report in the chained blocks of a service.
@Suite struct FinderTests {
  private func makeService() throws -> (RecordingService, StoreDouble) {
    let double = try StoreDouble()
    let service = RecordingService.over(double)
    try service.writeSync { context in
      for number in 1...4 {
        let member = Member.create(in: context)
        member.count = number
        member.firstname = number > 2 ? "Ann" : nil
      }
    }.get()
    return (service, double)
  }

  /// `delete` takes one object or several, in both kinds of context.
  @Test func severalObjectsAreDeletedInOneCall() throws {
    let (service, _) = try makeService()
    try service.writeSync { context in
      context.delete(Member.all(where: \.count < 3, in: context))
      context.managedObjectContext.delete(Set(Member.all(where: \.count == 3, in: context)))
    }.get()
    try service.read { #expect(Member.all(in: $0).map(\.count) == [4]) }.get()
  }

  /// A condition of key paths is a predicate, too.
  @Test func aPredicateIsMadeOfKeyPaths() throws {
    let (service, _) = try makeService()
    var request = FetchRequest("Member")
    request.predicate = FetchPredicate(\Member.count > 2 && \Member.firstname == "Ann")
    #expect(try service.readValue { try $0.count(request) } == 2)
  }

  @Test func blocksAndContextsAreAskedInTheSameWords() throws {
    let (service, _) = try makeService()
    let named = FetchPredicate.compare("firstname", .notEqual, Value.null)
    try service.read { context in
      #expect(Member.all(in: context).count == 4)
      #expect(Member.all(where: named, sortedBy: "count:NO", in: context).map(\.count) == [4, 3])
      #expect(Member.all(where: named, sortedBy: \.count, in: context).map(\.count) == [3, 4])
      #expect(Member.all(where: \.count > 1, limit: 1, offset: 1, in: context).map(\.count) == [3])
      #expect(Member.all("firstname", equalTo: "Ann", in: context).count == 2)
      #expect(Member.first("count", equalTo: 2, in: context)?.count == 2)
      #expect(Member.first(where: named, sortedBy: \.count, in: context)?.count == 3)
      #expect(Member.count(where: named, in: context) == 2)
      #expect(Member.sum(\.count, where: \.count > 1, in: context) == 9)
      #expect(Member.min(\.firstname, in: context) == "Ann")
      #expect(Member.max(\.count, in: context) == 4)
      #expect(Member.average(\.count, in: context) == 2.5)
      #expect(Member.largest(2, in: context).map(\.count) == [4, 3])
    }.get()
    try service.readValue { context in
      let found = try Member.all(where: named, sortedBy: "count:NO", in: context)
      #expect(found.map(\.count) == [4, 3])
      #expect(try Member.first("count", equalTo: 2, in: context)?.count == 2)
      #expect(try Member.average(\.count, in: context) == 2.5)
      #expect(try Member.largest(2, in: context).map(\.count) == [4, 3])
    }
  }

  static let finders: [(String, @Sendable (ReportingContext) -> Bool)] = [
    ("all", { Member.all(in: $0).isEmpty }),
    ("all sorted by a key path", { Member.all(sortedBy: \.count, in: $0).isEmpty }),
    ("all of a value", { Member.all("firstname", equalTo: "Ann", in: $0).isEmpty }),
    ("first", { Member.first(in: $0) == nil }),
    ("count", { Member.count(in: $0) == 0 }),
    ("sum", { Member.sum(\.count, in: $0) == 0 }),
    ("min", { Member.min(\.count, in: $0) == nil }),
    ("max", { Member.max(\.firstname, in: $0) == nil }),
    ("average", { Member.average(\.count, in: $0) == nil }),
    ("a finder of one's own", { Member.largest(2, in: $0).isEmpty }),
    ("first or create", { Member.firstOrCreate(\.firstname, equalTo: "Bo", in: $0).count == 0 }),
  ]

  @Test(arguments: finders)
  func aBlockGoesOnBehindAFailureAndFailsAtItsEnd(
    name: String, finder: @Sendable (ReportingContext) -> Bool
  ) throws {
    let (service, double) = try makeService()
    double.fail(.read, times: 1, .io)
    let wentOn = Guarded(false)
    let chain = service.writeSync { context in
      #expect(finder(context), "\(name)")
      Member.create(in: context)
      wentOn.withLock { $0 = true }
    }
    #expect(wentOn.withLock { $0 })
    #expect(chain.failure != nil)
    #expect(service.errors.count == 1)
    #expect(service.memberCount == 4)
  }

  @Test func whatABlockCannotDeleteItKeeps() throws {
    let (service, double) = try makeService()
    double.fail(.read, times: 1, .io)
    #expect(service.writeSync { Member.deleteAll(in: $0) }.failure != nil)
    #expect(service.memberCount == 4)
    try service.writeSync { Member.deleteAll(where: \.count > 1, in: $0) }.get()
    #expect(service.memberCount == 1)
  }

  @Test func theContextBehindABlockThrows() throws {
    let (service, double) = try makeService()
    double.fail(.read, times: 1, .io)
    try service.read { context in
      let error = #expect(throws: StoreError.self) {
        try Member.count(in: context.managedObjectContext)
      }
      #expect(error?.code == .io)
      #expect(Member.count(in: context) == 4)
    }.get()
    #expect(service.errors.isEmpty)
  }

  @Test func aBlockHasThePropertiesOfItsContextAndTheMethodsItNeeds() throws {
    let (service, _) = try makeService()
    let id = try #require(try service.readValue { try Member.first(in: $0)?.objectID })
    try service.writeSync { context in
      context.transactionAuthor = "a block"
      #expect(context.managedObjectContext.transactionAuthor == "a block")
      let member = try #require(try context.existingObject(with: id) as? Member)
      #expect(try context.object(with: id) === member && !context.hasChanges)
      let all = try context.fetch(
        Member.self, FetchRequest("Member", sortedBy: [SortTerm("count")]))
      #expect(all.map(\.count) == [1, 2, 3, 4])
      #expect(try context.count(FetchRequest("Member", where: .equals("count", 2))) == 1)
      let new = Member.create(in: context)
      try context.obtainPermanentIDs(for: [new])
      #expect(!new.objectID.isTemporaryID)
      context.rollback()
      #expect(!context.hasChanges)
      member.count = 9
      context.refresh(member, mergeChanges: false)
      #expect(member.count != 9)
      context.delete(member)
      #expect(context.deletedObjects == [member])
      try context.save()
    }.get()
    #expect(service.memberCount == 3)
  }
}
