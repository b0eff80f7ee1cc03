// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades hashes`.
@Suite struct HashesTests {
  @Test func aVersionHasAHashForEachEntityAndAChecksum() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let run = try CommandRun("hashes", model, "--json")
    #expect(run.status == 0, "\(run.errors)")
    let answer: [String: Any] = try run.json()
    let versions = try #require(answer["versions"] as? [[String: Any]])
    #expect(versions.count == 1)
    let entities = try #require(versions[0]["entities"] as? [String: [String: Any]])
    #expect(Set(entities.keys) == ["Animal", "Note", "Owner", "Pet"])
    let hex = try #require(entities["Owner"]?["hex"] as? String)
    let base64 = try #require(entities["Owner"]?["base64"] as? String)
    let bytes = try #require(Data(base64Encoded: base64))
    #expect(bytes.map { String(format: "%02x", $0) }.joined() == hex)
    #expect(bytes.count == 32)
    let text = try CommandRun("hashes", model)
    #expect(text.output.contains("\nOwner   \(hex)"), "\(text.output)")
    #expect(try CommandRun("hashes", model, "--base64").output.contains(base64))
  }

  @Test func aNarrowTerminalShowsWholeHashes() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let json: [String: Any] = try CommandRun("hashes", model, "--json").json()
    let version = try #require((json["versions"] as? [[String: Any]])?.first)
    let entities = try #require(version["entities"] as? [String: [String: Any]])
    let hex = try #require(entities["Pet"]?["hex"] as? String)
    #expect(try CommandRun(onTerminal: 40, "hashes", model).output.contains(hex))
  }

  @Test func allPrintsEveryVersion() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let versions = try #require(
      try CommandRun("hashes", model, "--all", "--json").json([String: Any].self)["versions"]
        as? [[String: Any]])
    #expect(versions.map { $0["name"] as? String } == ["Pets", "Pets 2"])
    #expect(versions.map { $0["current"] as? Bool } == [false, true])
    #expect(versions[0]["checksum"] as? String != versions[1]["checksum"] as? String)
    let text = try CommandRun("hashes", model, "--all").output
    #expect(text.contains("Pets 2 (current)"))
  }

  @Test func aStoreTellsWhetherItsHashesAreThoseOfItsModel() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let run = try CommandRun("hashes", shop.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("equal"))
    #expect(!run.output.contains("differs"))
  }

  @Test func nothingAtThePathIsNoModel() throws {
    let run = try CommandRun("hashes", "/nowhere/App.xcdatamodeld")
    #expect(run.status == 3)
    #expect(run.errors.contains("neither a model nor a store"), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test func storesOfApplesFrameworksHaveTheHashesOfTheModelsTheyCarry() throws {
    for store in Fixtures.stores {
      let run = try CommandRun("hashes", store)
      #expect(run.status == 0, "\(store): \(run.output)\(run.errors)")
    }
  }
}
