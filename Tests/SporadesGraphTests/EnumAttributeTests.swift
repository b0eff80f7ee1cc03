// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

enum Sail: Int16 {
  case none = 3
  case jib = 4
  case main = 5
}
enum Flag: String, CaseIterable { case red, green }

enum Fuel: String { case petrol, diesel }

@Entity final class Tender: ManagedObject {
  var fuel: Fuel
}

@Entity final class Yacht: ManagedObject {
  var sail: Sail = .jib
  var spare: Sail?
  @Attribute(.indexed) var flag: Flag = .green
  var deck: Deck?
  @Transient var mood: Flag = .red
}

@Composite struct Deck: Equatable {
  var sail: Sail = .main
  var spare: Sail?
  var inner: Hold = Hold()
}

@Composite struct Hold: Equatable { var flag: Flag = .red }

/// Enums are kept as raw values, and a file can hold some that no case has.
@Suite struct EnumAttributeTests {
  private static let model = try! ManagedObjectModel([Yacht.self])

  @Test func readingARequiredEnumBeforeItIsSetSaysSo() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let stack = try DataStack(inMemory: [Tender.self])
      stack.newContext().performAndWait { context in _ = Tender.create(in: context).fuel }
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Tender.fuel was read before it was set, and has no default."))
  }

  /// A yacht whose row was written by a program that knows more cases.
  private func withStrangeYacht(
    _ kind: StoreKind, _ body: (DataStack) throws -> Void
  ) throws {
    let store = try kind.store(Self.model)
    try DataStack(store: store).newContext().performAndWait { context in
      context.durability = .immediate
      let yacht = try context.insert(entityNamed: "Yacht")
      for name in ["sail", "spare"] { yacht.setValue(77, forKey: name) }
      yacht.setValue("blue", forKey: "flag")
      yacht.setValue([77, 77, ["blue"]] as Value, forKey: "deck")
      try context.save()
    }
    try body(DataStack(store: store, classes: [Yacht.self]))
  }

  @Test(arguments: StoreKind.allCases)
  func anUnknownRawValueIsReportedAndTheDefaultStandsForIt(in kind: StoreKind) throws {
    try withStrangeYacht(kind) { stack in
      let service = DALService(stack: stack)
      func reads(
        _ property: String, _ body: @escaping @Sendable (Yacht) -> Bool,
        at location: SourceLocation = #_sourceLocation
      ) {
        let error = #expect(throws: DALError.self, sourceLocation: location) {
          try service.read { context in
            let yacht = Yacht.first(in: context)
            #expect(yacht.map(body) == true, sourceLocation: location)
          }.get()
        }
        guard case .context(.unknownRawValue(_, property, _, let type))? = error?.code,
          !type.isEmpty
        else {
          Issue.record("\(String(describing: error))", sourceLocation: location)
          return
        }
      }
      reads("sail") { $0.sail == .jib }
      reads("spare") { $0.spare == nil }
      reads("flag") { $0.flag == .green }
      reads("deck.sail") { yacht in
        yacht.deck == Deck(sail: .main, spare: nil, inner: Hold(flag: .red))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func theRowKeepsWhatItHolds(in kind: StoreKind) throws {
    try withStrangeYacht(kind) { stack in
      try stack.newContext().performAndWait { context in
        let yacht = try #require(try Yacht.first(in: context))
        #expect(yacht["sail"] == 77)
        #expect(yacht["flag"] == "blue")
        yacht.mood = .green
        yacht.flag = .red
        try context.save()
        context.reset()
        let again = try #require(try Yacht.first(in: context))
        #expect(again["sail"] == 77)
        #expect(again["spare"] == 77)
        #expect(again["flag"] == "red")
        again.setValue(5, forKey: "sail")
        #expect(again.sail == .main)
        again.setValue(nil as Int?, forKey: "spare")
        #expect(again.spare == nil)
      }
    }
  }

  static func withYacht(_ body: (Yacht) throws -> Void) throws {
    try DataStack(store: MemoryStore(model: model), classes: [Yacht.self]).newContext()
      .performAndWait { try body(Yacht.create(in: $0)) }
  }

  @Test(arguments: StoreKind.allCases)
  func casesAreInTheOrderOfTheirNumbers(in kind: StoreKind) throws {
    let stack = try DataStack(store: kind.store(Self.model), classes: [Yacht.self])
    try stack.newContext().performAndWait { context in
      for sail in [Sail.jib, .main] {
        Yacht.create(in: context).sail = sail
      }
      let ordered = [Sail.jib, .main].sorted { $0.rawValue < $1.rawValue }
      for _ in 0..<2 {
        #expect(try Yacht.all(where: \.sail > ordered[0], in: context).map(\.sail) == [ordered[1]])
        #expect(try Yacht.all(where: \.sail < ordered[1], in: context).map(\.sail) == [ordered[0]])
        #expect(try Yacht.count(where: \.spare >= ordered[0], in: context) == 0)
        try context.save()
      }
    }
  }

  @Test func anUnknownRawValueByKeyTraps() async {
    await #expect(processExitsWith: .failure) {
      try EnumAttributeTests.withYacht { $0.setValue(77, forKey: "sail") }
    }
    await #expect(processExitsWith: .failure) {
      try EnumAttributeTests.withYacht { $0["flag"] = "blue" }
    }
    await #expect(processExitsWith: .failure) {
      try EnumAttributeTests.withYacht { $0.setPrimitiveValue(77, forKey: "spare") }
    }
    await #expect(processExitsWith: .failure) {
      try EnumAttributeTests.withYacht { $0.setValue("blue", forKey: "mood") }
    }
    await #expect(processExitsWith: .failure) {
      try EnumAttributeTests.withYacht {
        $0.setValue([3, nil, ["blue"]] as Value, forKey: "deck")
      }
    }
  }

  @Test func knownRawValuesByKeyAreTaken() throws {
    try Self.withYacht { yacht in
      yacht.setValue(3, forKey: "sail")
      yacht.setValue("red", forKey: "flag")
      yacht.setValue([3, nil, ["green"]] as Value, forKey: "deck")
      #expect(yacht.sail == .none)
      #expect(yacht.flag == .red)
      #expect(yacht.deck == Deck(sail: .none, spare: nil, inner: Hold(flag: .green)))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func membersOfCompositesHavePaths(in kind: StoreKind) throws {
    let stack = try DataStack(store: kind.store(Self.model), classes: [Yacht.self])
    try stack.newContext().performAndWait { context in
      let yacht = Yacht.create(in: context)
      yacht["deck.sail"] = .integer(4)
      yacht.setValue(Flag.green, forKey: "deck.inner.flag")
      #expect(yacht.deck == Deck(sail: .jib, spare: nil, inner: Hold(flag: .green)))
      #expect(yacht["deck.inner.flag"] == .string("green"))
      #expect(yacht["deck.spare"] == .null)
      try context.save()
      yacht["deck.spare"] = .integer(5)
      #expect(yacht.deck?.spare == Sail.main)
      #expect(yacht.changedValues().keys.contains("deck"))
      try context.save()
      #expect(try Yacht.where("deck.spare == 5").count(in: context) == 1)
    }
  }
}
