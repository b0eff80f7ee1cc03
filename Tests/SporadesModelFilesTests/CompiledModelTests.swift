// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// What Xcode compiles a model to is read as the model itself.
@Suite(.enabled(if: Fixtures.areAvailable, "needs the fixtures"))
struct CompiledModelTests {
  private static let folder = "alemar11+CoreDataPlus/Tests/Resources/"

  struct Pair: Sendable, CustomTestStringConvertible {
    let compiled: String
    let source: String
    var testDescription: String { compiled }

    init(_ model: String, _ compiled: String, _ source: String) {
      self.compiled = "mom/\(folder)\(model)/Fixtures/\(model).momd/\(compiled).mom"
      self.source = "models/\(folder)\(model)/\(model).xcdatamodeld/\(source).xcdatamodel"
    }
  }

  @Test(arguments: [
    Pair("SampleModel", "SampleModel", "SampleModel"),
    Pair("SampleModel", "SampleModel2", "SampleModel2"),
    Pair("SampleModel", "SampleModel3", "SampleModel3"),
    Pair("SampleModel3", "SampleModel3", "SampleModel3"),
    Pair("SampleModel3", "SampleModel3_v2", "SampleModel3_v2"),
    Pair("SampleModel3", "SampleModel3_v3", "SampleModel3_v3"),
  ])
  func equalsItsSource(_ pair: Pair) throws {
    let compiled = try Fixtures.model(pair.compiled)
    let source = try Fixtures.model(pair.source)
    #expect(compiled.versionChecksum == source.versionChecksum)
    #expect(compiled.entities.count == source.entities.count)
    for entity in source.entities {
      let read = try #require(compiled.entitiesByName[entity.name])
      #expect(read.sorted == entity.sorted)
    }
    #expect(compiled.versionIdentifiers == source.versionIdentifiers)
  }

  @Test func theFolderNamesItsCurrentVersion() throws {
    let folder = Fixtures.url("mom/\(Self.folder)SampleModel3/Fixtures/SampleModel3.momd")
    let versions = try ModelFile.versions(at: folder)
    #expect(versions.map(\.name) == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
    #expect(versions.map(\.isCurrent) == [true, false, false])
    #expect(try ManagedObjectModel(contentsOf: folder) == versions[0].model())
    let checksums = try ModelFile.checksums(at: folder)
    for version in versions {
      #expect(try version.model().versionChecksum == checksums[version.name])
    }
  }

  @Test func templatesAndTheirPredicatesAreRead() throws {
    let model = try Fixtures.model("mom/ZeeQL+ZeeQL3/data/Contacts.mom")
    let templates = model.fetchRequestTemplates
    #expect(templates.count == 1)
    #expect(
      templates.values.first?.predicate == (try FetchPredicate(format: "lastName LIKE 'Duck*'")))
  }

  @Test func aFormOfAppleAloneIsRefused() throws {
    let error = #expect(throws: ModelError.self) {
      try Fixtures.model(
        "mom/\(Self.folder)SampleModel3/Fixtures/SampleModel3.momd/SampleModel3.omo")
    }
    #expect(error?.problems[0].detail.contains("name the .mom beside it") == true)
  }
}

extension EntityDescription {
  /// The entity with its parts in the order of their names, as archives have them.
  fileprivate var sorted: EntityDescription {
    var entity = self
    entity.attributes.sort { $0.name < $1.name }
    entity.relationships.sort { $0.name < $1.name }
    entity.indexes.sort { $0.name < $1.name }
    // Xcode's compiler drops the class of a transformable attribute.
    for index in entity.attributes.indices {
      entity.attributes[index].attributeValueClassName = nil
    }
    return entity
  }
}
