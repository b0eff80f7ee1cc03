// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity final class Crate: ManagedObject {
  @Attribute(.pattern("[A-Z]{2}[0-9]+")) var code: String? = "AB1"
  @Attribute(.length(2...4)) var label: String? = "abc"
  @Attribute(.range(1...10)) var weight: Int = 5
  @Attribute(.range(0...2)) var ratio: Double = 1
  @Attribute(
    .minimum(Date(timeIntervalSinceReferenceDate: 0)),
    .maximum(Date(timeIntervalSinceReferenceDate: 100))) var day: Date?
  @Attribute(.satisfies("SELF < weight AND NOT SELF IN {3, 4}")) var pieces: Int = 1
  @Relationship(deleteRule: .deny, inverse: "crate") var stamps: Set<Stamp>
  @Relationship(inverse: "crates", minCount: 2, maxCount: 3) var senders: Set<Sender>
  @Relationship(inverse: "crate") var owner: Owner?
  @Ignored var refuses: (any Error)?

  override func validateForInsert() throws { if let refuses { throw refuses } }
  override func validateForUpdate() throws { if let refuses { throw refuses } }
  override func validateForDelete() throws { if let refuses { throw refuses } }
}

@Entity final class Stamp: ManagedObject { @Relationship(inverse: "stamps") var crate: Crate? }
@Entity final class Sender: ManagedObject {
  @Relationship(inverse: "senders") var crates: Set<Crate>
}
@Entity final class Owner: ManagedObject { @Relationship(inverse: "owner") var crate: Crate }

/// Every rule of a model, with Core Data's code for it.
@Suite struct ValidationTests {
  private static let model = try! ManagedObjectModel([Crate.self])

  /// Breaks one rule.
  struct Breach: Sendable, CustomTestStringConvertible {
    let code: Int
    let property: String?
    let change: @Sendable (Crate, ManagedObjectContext) -> Void
    var testDescription: String { "\(code) \(property ?? "")" }

    init(
      _ code: Int, _ property: String?,
      _ change: @escaping @Sendable (Crate, ManagedObjectContext) -> Void
    ) {
      (self.code, self.property, self.change) = (code, property, change)
    }
  }

  struct Refusal: Error {}

  static let breaches = [
    Breach(1550, nil) { crate, _ in (crate.weight, crate.refuses) = (6, Refusal()) },
    Breach(1550, "pieces") { crate, _ in crate.pieces = 5 },
    Breach(1550, "pieces") { crate, _ in crate.pieces = 3 },
    Breach(1570, "crate") { _, context in _ = Owner.create(in: context) },
    Breach(1570, "ratio") { crate, _ in crate.setValue(nil as Double?, forKey: "ratio") },
    Breach(1580, "senders") { crate, context in crate.senders = [Sender.create(in: context)] },
    Breach(1590, "senders") { crate, context in
      crate.senders.formUnion([Sender.create(in: context), Sender.create(in: context)])
    },
    Breach(1600, "stamps") { crate, context in
      Stamp.create(in: context).crate = crate
      context.delete(crate)
    },
    Breach(1610, "weight") { crate, _ in crate.weight = 11 },
    Breach(1620, "weight") { crate, _ in (crate.weight, crate.pieces) = (0, -1) },
    Breach(1610, "ratio") { crate, _ in crate.ratio = 2.5 },
    Breach(1620, "ratio") { crate, _ in crate.ratio = -0.5 },
    Breach(1630, "day") { crate, _ in crate.day = Date(timeIntervalSinceReferenceDate: 101) },
    Breach(1640, "day") { crate, _ in crate.day = Date(timeIntervalSinceReferenceDate: -1) },
    Breach(1660, "label") { crate, _ in crate.label = "abcde" },
    Breach(1670, "label") { crate, _ in crate.label = "a" },
    Breach(1680, "code") { crate, _ in crate.code = "ab1" },
  ]

  /// Contexts each a child of the one before, and a sound crate in the last.
  private func chain(_ kind: StoreKind, depth: Int) throws -> [ContextQueue] {
    let stack = DataStack(store: try kind.store(Self.model), classes: [Crate.self])
    try stack.newContext().performAndWait { context in
      Crate.create(in: context).senders = [
        Sender.create(in: context), Sender.create(in: context),
      ]
      try context.save()
    }
    return stack.chain(depth: depth)
  }

  @Test(arguments: StoreKind.allCases, breaches)
  func aBrokenRuleHasItsCodeAndStaysHere(in kind: StoreKind, breach: Breach) throws {
    let queues = try chain(kind, depth: 3)
    try queues[2].performAndWait { context in
      let crate = try #require(try Crate.first(in: context))
      breach.change(crate, context)
      let error = #expect(throws: ValidationError.self) { try context.save() }
      #expect(error?.failures.map(\.code.rawValue) == [breach.code])
      #expect(error?.code.rawValue == breach.code)
      #expect(error?.failures.first?.property == breach.property)
      #expect(
        error?.failures.allSatisfy { context.registeredObject(for: $0.objectID) != nil } == true)
      #expect((error?.failures.first?.underlying is Refusal) == (breach.property == nil))
      #expect(context.hasChanges)
    }
    try queues[1].performAndWait { context in
      #expect(!context.hasChanges)
      let crate = try #require(try Crate.first(in: context))
      #expect(crate.weight == 5)
      #expect(crate.senders.count == 2)
      #expect(crate.label == "abc")
    }
  }

  /// As Core Data counts them, so that a shared file gets one verdict.
  @Test(arguments: [
    ("e\u{301}e\u{301}", true), ("👩‍👩‍👧", false), ("👍", true), ("👍👍👍", false), ("é", false),
  ])
  func lengthsCountUTF16(text: String, isAccepted: Bool) throws {
    try chain(.memory, depth: 1)[0].performAndWait { context in
      let crate = try #require(try Crate.first(in: context))
      crate.label = text
      if isAccepted { return try context.save() }
      let error = #expect(throws: ValidationError.self) { try context.save() }
      let count = "has \(text.utf16.count) characters, counted in UTF-16,"
      #expect(error?.failures.first?.detail.hasPrefix(count) == true)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func severalFailuresAreOneErrorThatSaysSo(in kind: StoreKind) throws {
    try chain(kind, depth: 1)[0].performAndWait { context in
      let crate = try #require(try Crate.first(in: context))
      (crate.weight, crate.label, crate.code) = (11, "a", "x")
      crate.senders = [Sender.create(in: context)]
      let error = try #require(throws: ValidationError.self) { try context.save() }
      #expect(error.code == .multiple)
      #expect(error.code.rawValue == 1560)
      #expect(Set(error.failures.map(\.code.rawValue)) == [1580, 1610, 1670, 1680])
      #expect(Set(error.failures.compactMap(\.property)) == ["weight", "label", "code", "senders"])
      context.rollback()
      // a predicate is asked of a value on trial, not of the one the object has
      #expect(throws: ValidationError.self) {
        try crate.validateValue(.integer(9), forKey: "pieces")
      }
      try crate.validateValue(.integer(2), forKey: "pieces")
    }
  }

  @Test func theCodesAreCoreDatas() {
    let codes: [(ValidationError.Code, Int)] = [
      (.generic, 1550), (.constraint, 1551), (.multiple, 1560), (.missingMandatoryProperty, 1570),
      (.relationshipLacksMinimumCount, 1580), (.relationshipExceedsMaximumCount, 1590),
      (.relationshipDeniedDelete, 1600), (.numberTooLarge, 1610), (.numberTooSmall, 1620),
      (.dateTooLate, 1630), (.dateTooSoon, 1640), (.invalidDate, 1650), (.stringTooLong, 1660),
      (.stringTooShort, 1670), (.stringPatternMatching, 1680), (.invalidURI, 1690),
    ]
    for (code, number) in codes { #expect(code.rawValue == number) }
  }

  @Test(arguments: StoreKind.allCases)
  func objectsThatNeedEachOtherAreSavedTogether(in kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Hen", relationships: [.toOne("egg", "Egg", inverse: "hen", isOptional: false)]),
      EntityDescription(
        "Egg", relationships: [.toOne("hen", "Hen", inverse: "egg", isOptional: false)]),
    ])
    let stack = try kind.stack(model)
    let parent = stack.newContext()
    let queues = [parent, stack.newChild(of: parent)]
    try queues[1].performAndWait { context in
      let hen = try context.insert(entityNamed: "Hen")
      #expect(throws: ValidationError.self) { try context.save() }
      hen.setObject(try context.insert(entityNamed: "Egg"), forKey: "egg")
      try context.save()
    }
    try queues[0].performAndWait { context in
      try context.save()
      context.reset()
      let hen = try #require(try context.fetch(FetchRequest("Hen")).first)
      #expect(hen.object(forKey: "egg")?.object(forKey: "hen") === hen)
    }
  }
}
