// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct MergingTests {
  private func model(
    _ entities: EntityDescription..., configurations: [String: [String]] = [:],
    templates: [String: FetchRequest] = [:], identifiers: Set<String> = []
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities, configurations: configurations, fetchRequestTemplates: templates,
      versionIdentifiers: identifiers)
  }

  @Test func mergesEntitiesConfigurationsAndTemplates() throws {
    let merged = try ManagedObjectModel.merging([
      model(
        EntityDescription("A"), EntityDescription("B"), configurations: ["c": ["A", "B"]],
        templates: ["t": FetchRequest("A")], identifiers: ["1"]),
      model(
        EntityDescription("B"), EntityDescription("C"), configurations: ["c": ["B", "C"]],
        templates: ["t": FetchRequest("A"), "u": FetchRequest("C")].filter { $0.key == "u" },
        identifiers: ["2"]),
    ])
    #expect(merged.entities.map(\.name) == ["A", "B", "C"])
    #expect(merged.configurations == ["c": ["A", "B", "C"]])
    #expect(merged.fetchRequestTemplates.keys.sorted() == ["t", "u"])
    #expect(merged.versionIdentifiers == ["1", "2"])
  }

  @Test func refusesDifferentEntitiesAndTemplatesOfOneName() throws {
    let one = try model(EntityDescription("A"), templates: ["t": FetchRequest("A")])
    let other = try model(
      EntityDescription("A", attributes: [AttributeDescription("b", .string)]),
      templates: ["t": FetchRequest("A", limit: 1)])
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel.merging([one, other])
    }
    #expect(error?.problems.map(\.code) == [.duplicateName, .duplicateName])
    #expect(error?.problems.map(\.entity) == ["A", nil])
  }
}
