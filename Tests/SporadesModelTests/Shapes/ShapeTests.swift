// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct ShapeTests {
  @Test func numbersEntitiesDepthFirstByNameWithoutRegardToCase() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("zebra"), EntityDescription("Beta", superentityName: "alpha"),
      EntityDescription("alpha"), EntityDescription("aardvark", superentityName: "Beta"),
      EntityDescription("Alba", superentityName: "alpha"), EntityDescription("Middle"),
    ])
    #expect(model.shapes.map(\.name) == ["alpha", "Alba", "Beta", "aardvark", "Middle", "zebra"])
    #expect(model.shapes.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(model.shapes.map(\.superNumber) == [0, 1, 1, 3, 0, 0])
    #expect(model.shapes.map(\.rootNumber) == [1, 1, 1, 1, 5, 6])
    #expect(model.shapes.map(\.family) == [1...4, 2...2, 3...4, 4...4, 5...5, 6...6])
    #expect(model.shape(numbered: 4) === model.shape(named: "aardvark"))
  }

  @Test func inheritedPropertiesComeFirstAndShareTheirSlots() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Top", attributes: [AttributeDescription("a", .string)]),
      EntityDescription(
        "Left", attributes: [AttributeDescription("b", .integer16)], superentityName: "Top"),
      EntityDescription(
        "Right", attributes: [AttributeDescription("b", .date)], superentityName: "Top"),
    ])
    let left = try #require(model.shape(named: "Left"))
    let right = try #require(model.shape(named: "Right"))
    #expect(left.layout === right.layout)
    #expect(left.properties.map(\.name) == ["a", "b"])
    #expect(left.attributes.map(\.slot) == [0, 1])
    #expect(right.attributes.map(\.slot) == [0, 2])
    #expect(right.index(of: "b") == 1)
    #expect(right["c"] == nil)
    #expect(left.layout.slots.map(\.kind) == [.text, .integer, .real])
    #expect(left.layout.slots.map(\.entity) == [3, 1, 2].map { [3: 1, 1: 2, 2: 3][$0] })
  }

  @Test func transientUndefinedAndCompositeAttributesHaveNoSlot() throws {
    let place = AttributeDescription.composite(
      "place", AttributeDescription("x", .double), .composite("y", AttributeDescription("z", .uri)))
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("t", .string, isTransient: true),
          AttributeDescription("u", .undefined), AttributeDescription("o", .objectID), place,
          AttributeDescription("n", .decimal),
        ])
    ])
    let shape = try #require(model.shape(named: "A"))
    #expect(shape.attributes.map(\.slot) == [nil, nil, nil, nil, 2])
    #expect(shape.layout.slots.map(\.name) == ["place.x", "place.y.z", "n"])
    #expect(shape.attributes[3].elements.map(\.slot) == [0, nil])
    #expect(shape.attributes[3].elements[1].elements.map(\.slot) == [1])
  }

  @Test func aRowHasTheBytesThatItsSlotsNeed() throws {
    func layout(_ types: [AttributeType]) throws -> RowLayout {
      let attributes = types.enumerated().map { AttributeDescription("a\($0.offset)", $0.element) }
      let model = try ManagedObjectModel(entities: [EntityDescription("A", attributes: attributes)])
      return model.shapes[0].layout
    }
    func numbers(_ count: Int) throws -> RowLayout {
      try layout(Array(repeating: .integer64, count: count))
    }
    // A row has its key and version, a word per number, and a bit per slot.
    #expect(
      try [0, 1, 8, 9, 64, 65].map { try numbers($0).rowSize } == [14, 23, 79, 88, 534, 543])
    #expect(try [0, 64, 65].map { try numbers($0).bitWords } == [1, 1, 2])
    let mixed = try layout([.string, .boolean, .binary, .double, .uuid, .boolean])
    #expect(mixed.rowSize == 25)
    // A row of an open page also has the offsets of three texts and blobs.
    #expect(mixed.openRowSize == 37)
  }
}
