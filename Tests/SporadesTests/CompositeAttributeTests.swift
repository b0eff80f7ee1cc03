// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import Testing

@testable import SporadesGraph

@Composite private struct Ticket: Equatable {
  var mood: Mood = .asleep
  var seat: Int?
  var start = "now"
}

/// How a composite attribute's struct is taken apart and put together.
struct CompositeAttributeTests {
  private let elements = Address.elements.compactMap(\.attribute)

  @Test func whatIsWrittenIsReadAgain() {
    let address = Address(
      street: "Rue", city: nil, position: Position(latitude: 1.5, longitude: -2))
    var values = CompositeValues(elements)
    address.write(to: &values)
    #expect(values.value == ["Rue", nil, [1.5, -2.0]])
    #expect(Address(from: CompositeValues(elements, values.value)) == address)
  }

  @Test func aCompositeInsideThatHoldsNothingIsNil() {
    let values = CompositeValues(elements, ["Rue", "Rome", [nil, nil]])
    #expect(Address(from: values) == Address(street: "Rue", city: "Rome", position: nil))
  }

  @Test func elementsThatAreNilShowWhatStandsForThem() {
    let values = CompositeValues(elements)
    #expect(values.isNull)
    #expect(Address(from: values) == Address(street: "", city: nil, position: nil))
  }

  @Test func enumsAreKeptAsTheirRawValues() {
    var values = CompositeValues(Ticket.elements.compactMap(\.attribute))
    Ticket(mood: .lively, seat: 4, start: "then").write(to: &values)
    #expect(values.value == [2, 4, "then"])
    #expect(Ticket(from: values) == Ticket(mood: .lively, seat: 4, start: "then"))
  }

  @Test func initialValuesOfMembersAreDefaultsOfElements() {
    let elements = Ticket.elements.compactMap(\.attribute)
    #expect(elements.map(\.defaultValue) == [0, nil, "now"])
  }

  @Test func aDefaultOfTheWholeIsOneOfEveryElement() throws {
    let address = Address(
      street: "Rue", city: "Rome", position: Position(latitude: 1, longitude: 2))
    let property = PropertyDeclaration.property("home", Address.self, default: address)
    let elements = try #require(property.attribute?.elements)
    #expect(elements.map(\.defaultValue) == ["Rue", "Rome", nil])
    #expect(elements[2].elements.map(\.defaultValue) == [1.0, 2.0])
  }

  @Test func anAbsentCodableValueIsNil() {
    #expect(isNothing([String: Int]?.none) && !isNothing([String: Int]?.some([:])))
  }
}
