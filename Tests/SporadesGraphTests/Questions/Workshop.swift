// SPDX-License-Identifier: MIT
import FoundationEssentials
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore

enum TicketState: String { case open, waiting, closed }

enum Urgency: Int16, Comparable {
  case low = 1
  case high = 5

  static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}

@Entity final class Ticket: ManagedObject {
  var title: String = ""
  var note: String?
  var number: Int16 = 0
  var cost: Double = 0
  var isActive: Bool = true
  var isHidden: Bool = false
  var due: Date?
  var state: TicketState = .open
  var formerState: TicketState?
  var urgency: Urgency = .low
  @Relationship(inverse: \Worker.tickets) var owner: Worker?
  @Relationship(inverse: \Worker.watched) var watchers: Set<Worker>
  @Relationship(inverse: \Step.ticket) var steps: [Step]
}

@Entity final class Worker: ManagedObject {
  var name: String = ""
  /// An attribute may have the name of the property by which an object is an argument.
  var value: Int = 0
  @Relationship(inverse: "owner") var tickets: Set<Ticket>
  @Relationship(inverse: "watchers") var watched: Set<Ticket>
}

@Entity final class Step: ManagedObject {
  var text: String = ""
  @Relationship(inverse: "steps") var ticket: Ticket?
}

/// Five tickets and two workers.
enum Workshop {
  static let classes: [ManagedObject.Type] = [Ticket.self, Worker.self, Step.self]
  // The model is written here, so a mistake in it is a mistake of the tests.
  static let model = try! ManagedObjectModel(classes)

  static func date(_ day: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
  }

  /// Calls the body with a context in which the tickets were saved, and once more with unsaved
  /// changes, so that the context answers from memory.
  static func open(
    _ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try DataStack(store: kind.store(model), classes: classes).newContext().performAndWait {
      context in
      fill(context)
      try context.save()
      try body(context)
      Worker.create(in: context).name = "Unsaved"
      Step.create(in: context).text = "unsaved"
      for ticket in try Ticket.all(in: context) { ticket.cost += 1 }
      try body(context)
    }
  }

  private static func fill(_ context: ManagedObjectContext) {
    let (ann, bob) = (Worker.create(in: context), Worker.create(in: context))
    (ann.name, ann.value, bob.name, bob.value) = ("Ann", 7, "Bob", 8)
    for (index, title) in ["a", "b", "c", "d", ""].enumerated() {
      let ticket = Ticket.create(in: context)
      ticket.title = title
      ticket.number = Int16(index)
      ticket.isActive = index < 3
      ticket.isHidden = index == 1
      ticket.due = index < 4 ? date(index) : nil
      ticket.note = ["x", "Y", "", nil, "é"][index]
      ticket.state = [.open, .open, .waiting, .closed, .closed][index]
      ticket.formerState = index == 3 ? .waiting : nil
      ticket.urgency = index % 2 == 0 ? .low : .high
      ticket.owner = [ann, bob, ann, nil, nil][index]
      ticket.watchers = [[], [ann], [ann, bob], [bob], []][index]
      ticket.steps = (0..<index).map { _ in Step.create(in: context) }
    }
  }
}

extension [Ticket] {
  /// The numbers of the tickets, in their order.
  var numbers: [Int16] { map(\.number) }
}
