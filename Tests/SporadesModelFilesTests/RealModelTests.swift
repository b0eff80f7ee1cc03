// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// Models that people made in Xcode. Without the fixtures, the suite is skipped.
@Suite(.enabled(if: Fixtures.areAvailable))
struct RealModelTests {
  @Test func everyModelLoads() throws {
    let paths = Fixtures.paths(named: "contents")
    #expect(paths.count > 170)
    for path in paths {
      do {
        let model = try Fixtures.model(path)
        let text = try String(contentsOf: Fixtures.url(path), encoding: .utf8)
        #expect(model.entities.count == text.components(separatedBy: "<entity ").count - 1)
      } catch {
        Issue.record("\(path)\n\(error)")
      }
    }
  }

  @Test func everyVersionedModelHasACurrentVersion() throws {
    let lists = Fixtures.paths(named: ".xccurrentversion")
    #expect(lists.count > 60)
    for list in lists {
      let folder = Fixtures.url(list).deletingLastPathComponent()
      // The fixtures have only the list of one model.
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      guard files.contains(where: { $0.hasSuffix(".xcdatamodel") }) else { continue }
      let versions = try ModelFile.versions(at: folder)
      // One repository's list names no version.
      let names = try String(contentsOf: Fixtures.url(list), encoding: .utf8).contains("_XCCurrent")
      #expect(versions.filter(\.isCurrent).count == (names ? 1 : 0), "\(list)")
    }
  }

  @Test func binaryModelsAreRefusedWithAReason() throws {
    let paths = Fixtures.paths(named: "elements")
    #expect(paths.count == 3)
    for path in paths {
      let folder = Fixtures.url(path).deletingLastPathComponent()
      let error = #expect(throws: ModelError.self) {
        try ManagedObjectModel(contentsOf: folder)
      }
      #expect(error?.problems.map(\.code) == [.malformedFile])
    }
  }

  @Test func readsCompositesOfRealModels() throws {
    let model = try Fixtures.model(
      "models/fatbobman+CoreDataEvolution/Models/Integration/"
        + "CoreDataEvolutionIntegrationModel.xcdatamodeld")
    let location = try #require(
      model.entitiesByName["CDEItem"]?.attributes.first { $0.name == "location" })
    #expect(location.type == .composite)
    #expect(location.elements.map(\.name) == ["x", "y"])
    #expect(location.elements.map(\.isOptional) == [false, true])
    #expect(location.elements[0].defaultValue == .double(0))
  }

  @Test func readsInversesThatNameAnotherRelationship() throws {
    let model = try Fixtures.model(
      "models/artsy+energy/Resources/CoreData/ArtsyPartner.xcdatamodeld/"
        + "ArtsyPartner 5.xcdatamodel")
    let image = try #require(model.entitiesByName["Image"])
    let artist = try #require(image.relationships.first { $0.name == "artist" })
    #expect(artist.inverseName == nil)
    #expect(artist.unansweredInverseName == "thumbnail")
    let thumbnail = try #require(image.relationships.first { $0.name == "thumbnail" })
    #expect(thumbnail.inverseName == "thumbnail")
  }
}
