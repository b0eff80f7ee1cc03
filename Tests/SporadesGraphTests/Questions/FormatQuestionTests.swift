// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Formats with the arguments that people pass, and values by key.
@Suite struct FormatQuestionTests {
  private func numbers(
    _ format: String, _ arguments: Any?..., in context: ManagedObjectContext
  ) throws -> [Int16] {
    let predicate = try FetchPredicate(format: format, argumentArray: arguments)
    let found = try Ticket.all(where: predicate, sortedBy: \.number, in: context)
    let all = try Ticket.all(sortedBy: \.number, in: context)
    #expect(try all.filter { try predicate.evaluate(with: $0) }.numbers == found.numbers)
    return found.numbers
  }

  @Test(arguments: StoreKind.allCases)
  func objectsAreArguments(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let ann = try #require(try Worker.first("name", equalTo: "Ann", in: context))
      let bob = try #require(try Worker.first("name", equalTo: "Bob", in: context))
      let tickets = try Ticket.all(where: \.number < 2, in: context)
      #expect(try numbers("owner == %@", ann, in: context) == [0, 2])
      #expect(try numbers("owner = %@", ann.objectID, in: context) == [0, 2])
      #expect(try numbers("owner IN %@", [ann, bob], in: context) == [0, 1, 2])
      #expect(try numbers("owner IN %@", Set([bob]), in: context) == [1])
      #expect(try numbers("NOT owner IN %@", [ann], in: context) == [1, 3, 4])
      #expect(try numbers("SELF IN %@", tickets, in: context) == [0, 1])
      #expect(try numbers("self IN %@", Set(tickets), in: context) == [0, 1])
      #expect(try numbers("SELF IN %@", tickets.map(\.objectID), in: context) == [0, 1])
      #expect(try numbers("SELF == %@", tickets.first, in: context).count == 1)
      #expect(try numbers("objectID IN %@", tickets.map(\.objectID), in: context) == [0, 1])
      #expect(try numbers("owner.objectID == %@", ann, in: context) == [0, 2])
      #expect(try numbers("ANY watchers == %@", ann, in: context) == [1, 2])
      #expect(try numbers("%@ IN watchers", bob, in: context) == [2, 3])
      #expect(try numbers("owner == %@", nil, in: context) == [3, 4])
      let nobody: Worker? = nil
      #expect(try numbers("owner == %@", nobody, in: context) == [3, 4])
      let same = FetchPredicate.compare("owner", .isIn, [ann, bob])
      #expect(try Ticket.count(where: same, in: context) == 3)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func casesOfEnumsAndNumbersOfAllTypesAreArguments(in kind: StoreKind) throws {
    try Workshop.open(kind) { (context) throws in
      #expect(try numbers("state == %@", TicketState.open, in: context) == [0, 1])
      #expect(try numbers("state IN %@", [TicketState.open, .waiting], in: context) == [0, 1, 2])
      #expect(try numbers("state IN %@", Set([TicketState.waiting]), in: context) == [2])
      let former: TicketState? = .waiting
      #expect(try numbers("formerState == %@", former, in: context) == [3])
      #expect(try numbers("urgency > %@", Urgency.low, in: context) == [1, 3])
      #expect(try numbers("urgency == %d", Urgency.high, in: context) == [1, 3])
      #expect(try numbers("number == %@", UInt8(2), in: context) == [2])
      #expect(try numbers("number < %@", Float(2), in: context) == [0, 1])
      #expect(try numbers("title == %@", "abc".prefix(1), in: context) == [0])
      #expect(try numbers("title == %@", Character("b"), in: context) == [1])
      #expect(try numbers("title IN %@", ["a", "b"][...].map { $0 }, in: context) == [0, 1])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func whatNSPredicateTakesWorks(in kind: StoreKind) throws {
    try Workshop.open(kind) { (context) throws in
      #expect(try numbers("title = 'a'", in: context) == [0])
      #expect(try numbers("note = nil", in: context) == [3])
      #expect(try numbers("note == NULL", in: context) == [3])
      #expect(try numbers("note != nil AND note <> ''", in: context) == [0, 1, 4])
      #expect(try numbers("NOT title IN {'a', 'b'}", in: context) == [2, 3, 4])
      #expect(try numbers("NOT (title IN {'a', 'b'})", in: context) == [2, 3, 4])
      #expect(try numbers("!(title LIKE 'a')", in: context) == [1, 2, 3, 4])
      #expect(try numbers("not title contains 'a'", in: context) == [1, 2, 3, 4])
      #expect(try numbers("number BETWEEN %@", [1, 2], in: context) == [1, 2])
      #expect(try numbers("isActive = YES && isHidden = NO", in: context) == [0, 2])
      #expect(try numbers("steps.@count > 2 or watchers.@count == 2", in: context) == [2, 3, 4])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func relationshipsAreSetByKey(in kind: StoreKind) throws {
    try Workshop.open(kind) { context in
      let ann = try #require(try Worker.first("name", equalTo: "Ann", in: context))
      let ticket = try #require(try Ticket.first(where: \.number == 4, in: context))
      ticket.setValue(ann, forKey: "owner")
      #expect(ticket.owner === ann && ann.tickets.contains(ticket))
      ticket.setValue(nil, forKey: "owner")
      #expect(ticket.owner == nil)
      ticket.setValue(ann.objectID, forKey: "owner")
      #expect(ticket.owner === ann)
      ticket["owner"] = nil
      #expect(ticket.owner == nil)
      ticket["owner"] = ann.value(forKey: "name") == "Ann" ? .objectID(ann.objectID) : .null
      #expect(ticket.owner === ann)
      ticket.setValue(Set([ann]), forKey: "watchers")
      #expect(ticket.watchers == [ann])
      let (first, second) = (Step.create(in: context), Step.create(in: context))
      ticket.setValue([second, first], forKey: "steps")
      #expect(ticket.steps == [second, first])
      ticket.setValue(nil, forKey: "steps")
      #expect(ticket.steps.isEmpty)
      ticket.setValue(TicketState.waiting, forKey: "state")
      ticket.setValue(Urgency.high, forKey: "urgency")
      ticket.setValue(UInt8(9), forKey: "number")
      #expect(ticket.state == .waiting && ticket.urgency == .high && ticket.number == 9)
      ticket.setPrimitiveValue(TicketState.closed, forKey: "state")
      #expect(ticket.state == .closed)
      ticket.setValue(Int16(4), forKey: "number")
      ticket.owner = nil
    }
  }
}
