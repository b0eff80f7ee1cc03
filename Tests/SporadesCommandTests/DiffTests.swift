// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades diff`.
@Suite struct DiffTests {
  @Test func aFolderIsComparedWithItsFormerVersion() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let run = try CommandRun("diff", model)
    #expect(run.status == 1)
    #expect(run.output.contains("Owner.fullName was named name.\n"), "\(run.output)")
    #expect(run.output.contains("Owner.rank is new: Integer16.\n"))
    #expect(run.output.contains("is migrated by itself, if"))
    #expect(
      run.output.contains(
        "It stops if an object has no value for Owner.rank, which is new and required."))
  }

  @Test func equalModelsEndWithZero() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let current = folder.path("Pets.xcdatamodeld/Pets 2.xcdatamodel")
    let run = try CommandRun("diff", model, current)
    #expect(run.status == 0)
    #expect(run.output == "The models are equal.\n")
    let answer: [String: Any] = try CommandRun("diff", model, current, "--json").json()
    #expect(answer["equal"] as? Bool == true)
  }

  @Test func aDifferenceThatNoStoreNoticesIsNamedSo() throws {
    let folder = try WorkFolder()
    let old = try PetModel.write(PetModel.usual, to: "Old.xcdatamodel", in: folder)
    let new = try PetModel.write(
      PetModel.usual.replacingOccurrences(of: "Cascade", with: "Deny"), to: "New.xcdatamodel",
      in: folder)
    let run = try CommandRun("diff", old, new)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "Owner.pets: the delete rule changes from cascade to deny. Version hashes stay."),
      "\(run.output)")
    #expect(run.output.contains("Stores of one model open with the other as they are."))
  }

  @Test func whatTheNewerModelLacksIsListedAsALoss() throws {
    let folder = try WorkFolder()
    let old = try PetModel.write(PetModel.usual, to: "Old.xcdatamodel", in: folder)
    let new = try PetModel.write(
      PetModel.contents(PetModel.owner, PetModel.pet).replacingOccurrences(
        of: #"<attribute name="born" optional="YES" attributeType="Date"/>"#, with: ""),
      to: "New.xcdatamodel", in: folder)
    let answer: [String: Any] = try CommandRun("diff", old, new, "--json").json()
    #expect(answer["storesNotice"] as? Bool == true)
    let entities = try #require(answer["entities"] as? [[String: Any]])
    #expect(entities.map { $0["kind"] as? String } == ["changed", "removed"])
    let migration = try #require(answer["migration"] as? [String: Any])
    #expect(
      migration["losses"] as? [String] == [
        "The objects of Note are removed.", "The values of Owner.born are removed.",
      ])
  }

  @Test func lostLinksAreLossesOfTheSideThatHoldsThem() throws {
    let folder = try WorkFolder()
    let old = try PetModel.write(PetModel.usual, to: "Old.xcdatamodel", in: folder)
    let lines = PetModel.usual.split(separator: "\n").filter { !$0.contains("<relationship") }
    let new = try PetModel.write(
      lines.joined(separator: "\n"), to: "New.xcdatamodel", in: folder)
    let answer: [String: Any] = try CommandRun("diff", old, new, "--json").json()
    let migration = try #require(answer["migration"] as? [String: Any])
    #expect(migration["losses"] as? [String] == ["The links of Pet.owner are removed."])
  }

  @Test func besideAStoreOnlyWhatStoresNoticeCounts() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let model = folder.path("Shop.xcdatamodel")
    #expect(try CommandRun("convert", shop.path, "--to", model).status == 0)
    let contents = URL(fileURLWithPath: model).appendingPathComponent("contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let other = text.replacing("deletionRule=\"Cascade\"", with: "deletionRule=\"Deny\"")
    #expect(other != text)
    try Data(other.utf8).write(to: contents)
    let run = try CommandRun("diff", shop.path, model)
    #expect(run.status == 0 && run.output.contains("delete rule"), "\(run.output)")
  }

  @Test func aPartThatCouldContinueTwoStandsInTheWay() throws {
    let folder = try WorkFolder()
    func model(_ name: String, _ attributes: String) throws -> String {
      try PetModel.write(
        PetModel.contents("<entity name=\"Owner\">\(attributes)</entity>"),
        to: "\(name).xcdatamodel", in: folder)
    }
    let old = try model(
      "Old",
      """
      <attribute name="name" attributeType="String"/>
      <attribute name="alias" optional="YES" attributeType="String" elementID="name"/>
      """)
    let new = try model(
      "New", #"<attribute name="full" optional="YES" attributeType="String" elementID="name"/>"#)
    let run = try CommandRun("diff", old, new)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains("cannot be migrated:"), "\(run.output)")
  }

  @Test func aStoreIsForetoldFromItsRowsAndStaysAsItIs() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let model = folder.path("Shop.xcdatamodel")
    #expect(try CommandRun("convert", shop.path, "--to", model).status == 0)
    #expect(try CommandRun("diff", shop.path, model).status == 0)
    let contents = URL(fileURLWithPath: model).appendingPathComponent("contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.contains("name=\"city\"") }
    try Data(lines.joined(separator: "\n").utf8).write(to: contents)
    let before = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    let run = try CommandRun("diff", shop.path, model)
    #expect(run.status == 1)
    #expect(run.output.contains("Customer.city is gone."), "\(run.output)")
    #expect(run.output.contains("5 values of Customer.city are removed."))
    #expect(try Data(contentsOf: URL(fileURLWithPath: shop.path)) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(names) == ["Shop.sqlite", "Shop.xcdatamodel"])
  }

  @Test func oneVersionAloneHasNothingToCompare() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    #expect(try CommandRun("diff", model).status == 2)
    let versions = try PetModel.write(
      versions: [("Pets", PetModel.usual)], to: "One.xcdatamodeld", in: folder)
    let run = try CommandRun("diff", versions)
    #expect(run.status == 3)
    #expect(run.errors.contains("has one version, Pets."), "\(run.errors)")
  }
}
