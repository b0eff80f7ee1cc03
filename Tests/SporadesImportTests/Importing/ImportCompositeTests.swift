// SPDX-License-Identifier: MIT
import Sporades
import SporadesImport
import Testing

@Composite struct Lodging: Equatable {
  var street: String = ""
  var town: String?
}

@Entity final class Tenant: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var home: Lodging = Lodging()
  var workPlace: Lodging?
}

/// Records with members of composite attributes.
@Suite struct ImportCompositeTests {
  private let service: DALService = {
    var options = DALService.Options()
    options.reactor = nil
    return DALService(inMemory: [Tenant.self], options: options)
  }()

  private func tenants() throws -> [String] {
    try service.readValue { context in
      try Tenant.all(sortedBy: \.name, in: context).map {
        "\($0.name) \($0.home.street) \($0.workPlace?.street ?? "-")"
      }
    }
  }

  @Test func aColumnNamedAfterACompositeIsUnknown() async throws {
    let report = try await service.import(
      Tenant.self, from: .csv(text: "name,home,work_place\na,x,y\nb,x,\n"))
    #expect(report.made == 2)
    #expect(report.unknownKeys.map(\.key) == ["home", "work_place"])
    #expect(report.unknownKeys.map(\.records) == [2, 2])
    #expect(report.unknownKeys.map(\.nearest) == ["home.street", "workPlace.street"])
    let error = await #expect(throws: ImportError.self) {
      _ = try await service.import(Tenant.self, from: .csv(text: "home\nx\n"))
    }
    #expect(error?.detail.contains("No column of the input fits") == true)
    // A header without rows is compared, too; such a file is often JSON by mistake.
    for text in ["home\n", "home", #"[{"name": "a"}]"#] {
      let error = await #expect(throws: ImportError.self) {
        _ = try await service.import(Tenant.self, from: .csv(text: text))
      }
      #expect(error?.detail.contains("No column of the input fits") == true)
    }
    let empty = try await service.import(Tenant.self, from: .csv(text: "name\n"))
    #expect(empty.made == 0)
    _ = try await service.import(Tenant.self, from: .csv(text: "name,home.street\na,x\n"))
    #expect(try tenants() == ["a x -", "b  -"])
  }

  @Test func aColumnOfAKeyPathIsUnknownWithoutItsRest() async throws {
    let report = try await service.import(
      Tenant.self, from: .csv(text: "name,data\na,x\n"),
      mapping: ImportMapping<Tenant>().key("data.street", to: \.home.street))
    #expect(report.unknownKeys.map(\.key) == ["data"])
    #expect(report.unfoundKeys == ["data.street"])
  }

  @Test func aValueInPlaceOfMembersRefusesItsRow() async throws {
    let report = try await service.import(
      Tenant.self,
      from: .json(
        text: """
          [{"name": "a", "home": {"street": "s"}, "work_place": {"street": "w"}},
           {"name": "b", "home": "x"},
           {"name": "c", "home": ["x"]},
           {"name": "d", "work_place": 5}]
          """))
    #expect(report.made == 1)
    #expect(report.failures.map(\.path) == ["home", "home", "work_place"])
    #expect(
      report.failures.first?.description
        == "line 2, column 24, home: a text stands where an object with the keys street, town was expected."
    )
    #expect(try tenants() == ["a s w"])
  }

  @Test func nullClearsAllMembers() async throws {
    _ = try await service.import(
      Tenant.self,
      from: .records([["name": "a", "home": ["street": "s"], "workPlace": ["street": "w"]]]))
    #expect(try tenants() == ["a s w"])
    var request = ImportRequest(
      Tenant.self, from: .json(text: #"{"name": "a", "workPlace": null}"#))
    request.nulls = .keep
    #expect(try await service.import(request).unchanged == 1)
    request.nulls = .clear
    #expect(try await service.import(request).updated == 1)
    #expect(try tenants() == ["a s -"])
    let required = try await service.import(
      Tenant.self, from: .json(text: #"{"name": "a", "home": null}"#))
    #expect(required.failed == 1)
  }

  @Test func exportedCompositesComeBack() async throws {
    _ = try await service.import(
      Tenant.self,
      from: .records([
        ["name": "a", "home": ["street": "s"], "workPlace": ["street": "w"]], ["name": "b"],
      ]))
    for form in [ExportForm.json, .jsonLines, .csv()] {
      var bytes: [UInt8] = []
      for try await piece in service.exported(Tenant.request, as: form) { bytes += piece }
      let text = String(decoding: bytes, as: UTF8.self)
      let isCSV = if case .csv = form { true } else { false }
      let report = try await service.import(
        Tenant.self, from: isCSV ? .csv(text: text) : .json(text: text))
      #expect(report.unchanged == 2 && report.unknownKeys.isEmpty, "\(report) \(text)")
    }
  }

  @Test func ignoringACompositeIgnoresItsMembers() async throws {
    let mapping = ImportMapping<Tenant>().ignoring(\.home)
    let text =
      #"[{"name": "a", "home": {"street": "x", "town": "y"}, "workPlace": {"street": "w"}}]"#
    let report = try await service.import(Tenant.self, from: .json(text: text), mapping: mapping)
    #expect(report.made == 1 && report.unknownKeys.isEmpty)
    #expect(try tenants() == ["a  w"])
    let exported = try await exportedText(service, Tenant.request, .jsonLines, mapping)
    #expect(exported == "{\"name\":\"a\",\"workPlace\":{\"street\":\"w\",\"town\":null}}\n")
    let one = ImportMapping<Tenant>().ignoring(\.home.town)
    let part = try await service.import(Tenant.self, from: .json(text: text), mapping: one)
    #expect(part.updated == 1)
    #expect(try tenants() == ["a x w"])
  }
}
