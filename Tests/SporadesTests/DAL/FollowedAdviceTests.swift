// SPDX-License-Identifier: MIT
import Sporades
import Testing

/// What a sentence advises, done as it says, ends the mistake.
@Suite struct FollowedAdviceTests {
  @Entity final class Guest: ManagedObject {
    var name: String = ""
    var age: Int = 0
  }

  /// A context has a change of a row that another one has changed and saved meanwhile.
  private func meetConflict(_ goOn: (ManagedObjectContext, Guest) throws -> Void) throws -> [String]
  {
    let stack = try DataStack(inMemory: [Guest.self])
    let (first, second) = (stack.newContext(), stack.newContext())
    try first.performAndWait { context in
      Guest.create(in: context).name = "Ann"
      try context.save()
    }
    return try first.performAndWait { context in
      let guest = try #require(try Guest.first(in: context))
      guest.age = 40
      try second.performAndWait { other in
        try Guest.first(in: other)?.name = "Bea"
        try other.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(
        error?.description.contains(
          "refresh(_:mergeChanges: true) on the objects, or rollback() and fetch")
          == true)
      try goOn(context, guest)
      return [guest.name, "\(guest.age)"]
    }
  }

  @Test func aConflictEndsWithARefresh() throws {
    let values = try meetConflict { context, guest in
      context.refresh(guest, mergeChanges: true)
      try context.save()
    }
    #expect(values == ["Bea", "40"])
  }

  @Test func aConflictEndsWithARollback() throws {
    let values = try meetConflict { context, guest in
      context.rollback()
      #expect(try Guest.all(in: context) == [guest])
      guest.age = 41
      try context.save()
    }
    #expect(values == ["Bea", "41"])
  }

  @Test func optionsAreWrittenWhereTheServiceIsMade() throws {
    let service = DALService(
      inMemory: [Guest.self], options: .init(durability: .immediate, mergePolicy: .storeTrump))
    try service.writeSync { Guest.create(in: $0).name = "Ann" }.get()
    #expect(try service.readValue { try Guest.count(in: $0) } == 1)
    let usual = DALService.Options()
    #expect(usual.durability == .eventual && usual.pendingWriteLimit == 10_000)
  }
}
