// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Relationships to an abstract entity, of which no record makes an object.
@Suite struct AbstractLinkTests {
  @Test func recordsWithoutTheLinkGoIn() async throws {
    let service = try Self.makeService()
    #expect(try await service.import(Self.request("Home", #"{"name": "h"}"#)).made == 1)
    // And where the relationship lies behind another one.
    let nested = #"{"name": "s", "homes": [{"name": "i"}]}"#
    #expect(try await service.import(Self.request("Street", nested)).made == 1)
    #expect(try Self.owners(service) == ["h -", "i -"])
  }

  @Test func aKeyLinksAnObjectOfASubentity() async throws {
    let service = try Self.makeService()
    #expect(try await service.import(Self.request("Person", #"{"code": "p"}"#)).made == 1)
    let report = try await service.import(Self.request("Home", #"{"name": "h", "owner": "p"}"#))
    #expect(report.made == 1)
    #expect(try Self.owners(service) == ["h p"])
  }

  @Test func aRecordThatWouldMakeAnObjectIsRefused() async throws {
    let service = try Self.makeService()
    let text = #"[{"name": "h", "owner": {"code": "new"}}, {"name": "i"}]"#
    let report = try await service.import(Self.request("Home", text))
    #expect(report.made == 1 && report.failed == 1)
    let failure = try #require(report.failures.first)
    #expect(failure.path == "owner" && "\(failure)".contains("Owner is abstract"))
    #expect(try Self.owners(service) == ["i -"])
  }

  @Test func anAbstractEntityItselfIsRefused() async throws {
    let service = try Self.makeService()
    let error = await #expect(throws: ImportError.self) {
      try await service.import(Self.request("Owner", #"{"code": "p"}"#))
    }
    #expect(error?.code == .request)
  }

  private static func request(_ entity: String, _ text: String) -> ImportRequest<ManagedObject> {
    ImportRequest(entityNamed: entity, from: .json(text: text))
  }

  private static func owners(_ service: DALService) throws -> [String] {
    try service.readValue { context in
      try context.fetch(FetchRequest("Home")).map { home in
        let owner = home.object(forKey: "owner")
        return "\(home.value(forKey: "name").text) \(owner?.value(forKey: "code").text ?? "-")"
      }.sorted()
    }
  }

  private static func makeService() throws -> DALService {
    var code = EntityDescription(
      "Owner", attributes: [AttributeDescription("code", .string)], isAbstract: true)
    code.uniquenessConstraints = [["code"]]
    let model = try ManagedObjectModel(entities: [
      code, EntityDescription("Person", superentityName: "Owner"),
      EntityDescription(
        "Home", attributes: [AttributeDescription("name", .string)],
        relationships: [.toOne("owner", "Owner"), .toOne("street", "Street", inverse: "homes")]),
      EntityDescription(
        "Street", attributes: [AttributeDescription("name", .string)],
        relationships: [.toMany("homes", "Home", inverse: "street")]),
    ])
    var options = DALService.Options()
    options.reactor = nil
    return DALService(stack: DataStack(store: MemoryStore(model: model)), options: options)
  }
}

extension Value {
  fileprivate var text: String { if case .string(let text) = self { text } else { "-" } }
}
