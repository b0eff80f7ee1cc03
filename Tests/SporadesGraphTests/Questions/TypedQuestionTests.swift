// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Conditions and orders as somebody types them who has not read the manual.
@Suite struct TypedQuestionTests {
  /// Expects the numbers of the tickets that satisfy a condition, from a fetch, from a count and from
  /// each object.
  private func expect(
    _ numbers: [Int16], _ predicate: TypedPredicate<Ticket>, in context: ManagedObjectContext,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try Ticket.all(where: predicate, sortedBy: \.number, in: context)
    #expect(found.numbers == numbers, sourceLocation: location)
    #expect(try Ticket.count(where: predicate, in: context) == numbers.count)
    let all = try Ticket.all(sortedBy: \.number, in: context)
    let satisfying = try all.filter { try predicate.evaluate(with: $0) }
    #expect(satisfying.numbers == numbers, sourceLocation: location)
  }

  @Test(arguments: StoreKind.allCases)
  func objectsStandForTheirIDs(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let ann = try #require(try Worker.first(where: \.name == "Ann", in: context))
      let bob = try #require(try Worker.first(where: \.value == 8, in: context))
      let nobody: Worker? = nil
      try expect([0, 2], \.owner == ann, in: context)
      try expect([1, 3, 4], \.owner != ann, in: context)
      try expect([3, 4], \.owner == nobody, in: context)
      try expect([3, 4], \.owner == nil, in: context)
      try expect([0, 1, 2], \.owner ~= [ann, bob], in: context)
      try expect([1], \.owner ~= Set([bob]), in: context)
      try expect([0, 2], \.owner!.objectID == ann.objectID, in: context)
      try expect([0, 2], \.owner?.objectID == ann.objectID, in: context)
      try expect([0, 2], \.owner!.value == 7, in: context)
      let ticket = try #require(try Ticket.first(where: \.number == 2, in: context))
      try expect([2], \.self == ticket, in: context)
      try expect([2], \.objectID == ticket.objectID, in: context)
      try expect([0, 1, 3, 4], !(\.objectID ~= [ticket.objectID]), in: context)
      #expect(try Ticket.all("owner", equalTo: ann, in: context).count == 2)
      #expect(try Ticket.first("owner", equalTo: bob, in: context)?.number == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func casesOfEnumsStandForTheirRawValues(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try expect([0, 1], \.state == .open, in: context)
      try expect([2, 3, 4], \.state != .open, in: context)
      try expect([2, 3, 4], \.state ~= [.waiting, .closed], in: context)
      try expect([3], \.formerState == .waiting, in: context)
      try expect([0, 1, 2, 4], \.formerState != .waiting, in: context)
      try expect([3], \.formerState != nil, in: context)
      try expect([3], \.formerState ~= [.waiting, .open], in: context)
      try expect([1, 3], \.urgency > .low, in: context)
      try expect([0, 1, 2, 3, 4], \.urgency <= .high, in: context)
      let state = TicketState.closed
      try expect([3, 4], \.state == state, in: context)
      let former: TicketState? = nil
      try expect([0, 1, 2, 4], \.formerState == former, in: context)
      #expect(try Ticket.all("state", equalTo: TicketState.waiting, in: context).numbers == [2])
      let byState = try Ticket.all(
        sortedBy: .descending(\.state), .ascending(\.number), in: context)
      #expect(byState.numbers == [2, 0, 1, 3, 4])
      let found = try Ticket.firstOrCreate(\.state, equalTo: .waiting, in: context)
      #expect(found.number == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func truthValuesAreConditions(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      #expect(
        try Ticket.all(where: \.isActive, sortedBy: \.number, in: context).numbers == [0, 1, 2])
      #expect(try Ticket.all(where: \.isHidden, in: context).numbers == [1])
      #expect(
        try Ticket.all(where: \.isActive, sortedBy: "number:NO", in: context).numbers == [2, 1, 0])
      #expect(
        try Ticket.all(where: \.isActive, sortedBy: .descending(\.number), limit: 1, in: context)
          .numbers == [2])
      #expect(try Ticket.first(where: \.isActive, sortedBy: \.number, in: context)?.number == 0)
      #expect(try Ticket.count(where: \.isActive, in: context) == 3)
      try expect([3, 4], !\.isActive, in: context)
      try expect([2], \.isActive && \.number > 1, in: context)
      try expect([2], \.number > 1 && \.isActive, in: context)
      try expect([1], \.isActive && \.isHidden, in: context)
      try expect([0, 2], \.isActive && !\.isHidden, in: context)
      try expect([0, 1, 2], \.isActive || \.isHidden, in: context)
      try expect([0, 1, 2, 4], \.isActive || \.number == 4, in: context)
      #expect(try Ticket.sum(\.number, where: \.isActive == true, in: context) == 3)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func relationshipsAndTextsAreCountedAndEmpty(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try expect([2], \.watchers.count > 1, in: context)
      try expect([3, 4], \.steps.count >= 3, in: context)
      try expect([1], \.steps.count == 1, in: context)
      try expect([1, 2], \.steps.count ~= 1...2, in: context)
      try expect([1, 4], \.steps.count ~= [1, 4], in: context)
      #expect(
        try Ticket.all(where: \.watchers.isEmpty, sortedBy: \.number, in: context).numbers == [
          0, 4,
        ])
      try expect([0, 4], \.watchers.isEmpty == true, in: context)
      try expect([1, 2, 3], \.watchers.isEmpty != true, in: context)
      try expect([1, 2, 3], !\.watchers.isEmpty, in: context)
      try expect([2, 3], !\.watchers.isEmpty && \.steps.count > 1, in: context)
      try expect([4], \.title.isEmpty && \.isHidden == false, in: context)
      try expect([0, 1, 2], \.owner!.tickets.count > 0, in: context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func rangesHoldForOptionalsAndWithoutTheirEnd(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      try expect([1, 2], \.number ~= 1..<3, in: context)
      try expect([1, 2, 3], \.number ~= 1...3, in: context)
      try expect([1, 2], \.due ~= Workshop.date(1)...Workshop.date(2), in: context)
      try expect([1], \.due ~= Workshop.date(1)..<Workshop.date(2), in: context)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func formatsAndKeyPathsAreJoined(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let text = "b"
      let format = try FetchPredicate(format: "title >= %@", text)
      try expect([1, 2, 3], format && \.number > 0, in: context)
      try expect([2, 3], \.number > 1 && format, in: context)
      try expect([1, 2, 3, 4], \.number > 3 || format, in: context)
      try expect([0, 1, 2, 3], format || \.number == 0, in: context)
      try expect([0], \.isActive && !format, in: context)
      try expect([1, 2], format && \.isActive, in: context)
      try expect([0, 1, 2, 3], \.isActive || format, in: context)
      try expect([0, 1, 2, 3], format || \.isActive, in: context)
      try expect([0, 4], !(\.number > 0 && format), in: context)
      let found = try Ticket.all(
        where: \.number > 1 && FetchPredicate(format: "title >= %@", text), in: context)
      #expect(found.count == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func ordersHaveSeveralKeys(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      func numbers(_ find: (ManagedObjectContext) throws -> [Ticket]) throws -> [Int16] {
        try find(context).numbers
      }
      #expect(
        try numbers { try Ticket.all(sortedBy: \.urgency, \.number, in: $0) } == [0, 2, 4, 1, 3])
      #expect(
        try numbers { try Ticket.all(sortedBy: \.urgency, \.number, ascending: false, in: $0) }
          == [3, 1, 4, 2, 0])
      #expect(
        try numbers {
          try Ticket.all(sortedBy: .descending(\.urgency), .ascending(\.number), in: $0)
        } == [1, 3, 0, 2, 4])
      #expect(
        try numbers {
          try Ticket.all(
            where: \.note != nil, sortedBy: .ascending(\.note, [.caseInsensitive]), limit: 3,
            offset: 1, in: $0)
        } == [0, 1, 4])
      #expect(
        try numbers {
          try Ticket.all(
            where: \.note != nil,
            sortedBy: .ascending(\.note, [.caseInsensitive, .diacriticInsensitive]), in: $0)
        } == [2, 4, 0, 1])
      #expect(
        try numbers { try Ticket.all(where: \.note != nil, sortedBy: "note[cd]:YES", in: $0) }
          == [2, 4, 0, 1])
      let format = try FetchPredicate(format: "number < 3")
      #expect(
        try numbers { try Ticket.all(where: format, sortedBy: \.urgency, \.number, in: $0) }
          == [0, 2, 1])
      #expect(
        try numbers {
          try Ticket.all(
            where: format, sortedBy: .descending(\.owner?.name), .ascending(\.number), in: $0)
        } == [1, 0, 2])
      #expect(
        try Ticket.first(where: format, sortedBy: .descending(\.number), in: context)?.number == 2)
      #expect(try Ticket.first(sortedBy: \.urgency, \.number, in: context)?.number == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func finderPrefetchesAndCutsResults(in kind: StoreKind) throws {
    try DataStack(store: kind.store(Workshop.model), classes: Workshop.classes).newContext()
      .performAndWait { context in
        let worker = Worker.create(in: context)
        for number in 0..<4 {
          let ticket = Ticket.create(in: context)
          ticket.number = Int16(number)
          ticket.owner = worker
          ticket.watchers = [worker]
        }
        try context.save()
        context.reset()
        let found = try Ticket.all(
          sortedBy: \.number, limit: 2, offset: 1, prefetching: \.owner, \.watchers, in: context)
        #expect(found.numbers == [1, 2])
        #expect(found.allSatisfy { !$0.hasFault(forRelationshipNamed: "watchers") })
        #expect(found.allSatisfy { $0.owner?.isFault == false })
        let first = try #require(
          try Ticket.first(where: \.number == 3, prefetching: \.watchers, in: context))
        #expect(!first.hasFault(forRelationshipNamed: "watchers"))
        #expect(try Ticket.all(limit: 0, in: context).isEmpty)
        let error = #expect(throws: FetchPredicateError.self) {
          try Ticket.all(prefetching: \.title, in: context)
        }
        #expect(error?.detail.contains("Only relationships can be prefetched") == true)
      }
  }
}
