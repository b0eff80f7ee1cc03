// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

/// An object that a program keeps after the block of its service shows its values. Everything else
/// would be lost or empty, and so it traps.
@Suite struct EndedBlockTests {
  /// A member with an animal, kept after the write that made them.
  static func keep(
    failing: Bool = false
  ) -> (service: RecordingService, member: Member, animal: Animal) {
    let service = RecordingService.inMemory()
    var kept: (Member, Animal)?
    service.writeSync { context in
      let member = Member.create(in: context)
      member.firstname = "Ann"
      let animal = Animal.create(in: context)
      animal.owner = member
      kept = (member, animal)
      if failing { throw CocoaError(.fileNoSuchFile) }
    }
    guard let kept else { preconditionFailure("A write runs its block.") }
    return (service, kept.0, kept.1)
  }

  private func expect(
    _ result: ExitTest.Result?, _ parts: String..., at location: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for part in parts {
      #expect(text.contains(part), "\(text)", sourceLocation: location)
    }
  }

  @Test func valuesStayAndTheObjectIsFoundAgain() throws {
    let (service, member, animal) = Self.keep()
    #expect(member.firstname == "Ann")
    #expect(member.managedObjectContext == nil)
    #expect(member.description.contains("Ann"))
    #expect(animal.objectID != member.objectID)
    // The value that it has already is no change.
    member.firstname = "Ann"
    try service.writeSync { context in
      try member.inContext(context.managedObjectContext).firstname = "Amy"
    }.get()
    #expect(try service.readValue { try Member.first(in: $0)?.firstname } == "Amy")
  }

  @Test func transientValuesStayToo() throws {
    let service = RecordingService(
      inMemory: [Sketch.self], options: RecordingService.options { _ in })
    var made: Sketch?
    var found: Sketch?
    service.writeSync { context in
      made = Sketch.create(in: context)
      made?.isSelected = true
    }
    service.writeSync { context in
      found = Sketch.first(in: context)
      found?.isSelected = true
    }
    #expect(service.errors.isEmpty)
    for kept in [made, found] { #expect(kept?.isSelected == true) }
  }

  @Test func anObjectOfANestedWriteIsFoundInTheOuterOne() throws {
    let service = RecordingService.inMemory()
    try service.writeSync { outer in
      var made: Member?
      service.writeSync { made = Member.create(in: $0) }
      try made?.inContext(outer.managedObjectContext).count = 3
    }.get()
    #expect(try service.readValue { try Member.first(in: $0)?.count } == 3)
  }

  @Test func setAttributesTrap() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        EndedBlockTests.keep().member.firstname = "Bob"
      }, "Member/p1 was changed after the block of the service or stage that it came from",
      "try object.inContext(context)")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        EndedBlockTests.keep(failing: true).member.count = 4
      }, "was changed after the block")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        EndedBlockTests.keep().member.setPrimitiveValue("x", forKey: "firstname")
      }, "was changed after the block")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        EndedBlockTests.keep().member.setValue("x", forKey: "firstname")
      }, "was changed after the block")
  }

  @Test func objectsFromBeforeAResetInAWriteTrapToo() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        RecordingService.inMemory().writeSync { context in
          let member = Member.create(in: context)
          try context.save()
          context.reset()
          member.firstname = "Bob"
        }
      }, "Member/p1 was changed after", "or after reset() in the block")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let service = EndedBlockTests.keep().service
        service.writeSync { context in
          let member = Member.first(in: context)
          context.reset()
          print(member?.animals as Any)
        }
      }, "Member/p1.animals was read after", "or after reset() in the block")
  }

  @Test func aWriteGoesOnAfterAReset() throws {
    let service = RecordingService.inMemory()
    try service.writeSync { context in
      for number in 1...3 {
        Member.create(in: context).count = number
        try context.save()
        context.reset()
      }
      Member.first(where: \.count == 2, in: context)?.firstname = "Two"
    }.get()
    #expect(try service.readValue { try Member.count(in: $0) } == 3)
    #expect(
      try service.readValue { try Member.first(where: \.firstname == "Two", in: $0)?.count } == 2)
  }

  @Test func setRelationshipsTrap() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        EndedBlockTests.keep().animal.owner = nil
      }, "Animal/p1 was changed after the block")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let kept = EndedBlockTests.keep()
        kept.member.animals = [kept.animal]
      }, "was changed after the block")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let kept = EndedBlockTests.keep()
        kept.member.add(kept.animal, to: "animals")
      }, "was changed after the block")
  }

  @Test func readRelationshipsTrap() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(EndedBlockTests.keep().member.animals)
      }, "Member/p1.animals was read after the block", "return values")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        print(EndedBlockTests.keep().animal.owner as Any)
      }, "Animal/p1.owner was read after the block")
  }

  @Test func faultsHaveNoValuesToShow() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let service = EndedBlockTests.keep().service
        var owner: Member?
        service.writeSync { owner = Animal.first(in: $0)?.owner }
        print(owner?.firstname as Any)
      }, "Member/p1.firstname was read after the block")
  }

  @Test func deletingWithAKeptObjectOrContextTraps() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let kept = EndedBlockTests.keep()
        kept.service.writeSync { kept.member.delete(in: $0) }
      }, "Member/p1 outlived its context", "Find the object in this one first")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var kept: ReportingContext?
        RecordingService.inMemory().writeSync { kept = $0 }
        if let kept { Member.create(in: kept) }
      }, "A context was used after the block of the service or stage that it was made for.")
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        var kept: ReportingContext?
        RecordingService.inMemory().writeSync { kept = $0 }
        print(kept.map { Member.count(in: $0) } as Any)
      }, "A context was used after the block")
  }

  /// As in Core Data, where objects keep values that nobody saves.
  @Test func anObjectOfADroppedContextKeepsWhatItIsGiven() throws {
    let stack = try DataStack(inMemory: [Member.self])
    var kept: Member?
    try stack.newContext().performAndWait { context in
      kept = Member.create(in: context)
      kept?.firstname = "Ann"
      try context.save()
    }
    kept?.firstname = "Bob"
    #expect(kept?.firstname == "Bob")
    #expect(kept?.animals.isEmpty == true)
    #expect(try stack.main.performAndWait { try Member.first(in: $0)?.firstname } == "Ann")
  }

  @Test func relationshipsOfADroppedContextTrap() async {
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let stack = try DataStack(inMemory: [Member.self])
        var kept: [Animal] = []
        stack.newContext().performAndWait { kept = [Animal.create(in: $0)] }
        kept[0].owner = nil
      }, "was changed, but its context is gone or was reset")
  }
}

@Entity private final class Sketch: ManagedObject {
  var name: String?
  @Transient var isSelected: Bool = false
}
