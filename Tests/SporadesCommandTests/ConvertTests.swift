// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades convert`.
@Suite struct ConvertTests {
  private func checksums(_ path: String) throws -> [String] {
    let answer: [String: Any] = try CommandRun("hashes", path, "--all", "--json").json()
    let versions = try #require(answer["versions"] as? [[String: Any]])
    return versions.compactMap { $0["checksum"] as? String }
  }

  @Test(arguments: ["momd", "xcdatamodeld"])
  func aFolderOfVersionsKeepsAllOfThem(_ ending: String) throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let target = folder.path("New.\(ending)")
    let run = try CommandRun("convert", model, "--to", target)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "")
    #expect(try checksums(target) == checksums(model))
    #expect(try CommandRun("hashes", target, "--all").output.contains("Pets 2 (current)"))
  }

  @Test(arguments: ["mom", "xcdatamodel"])
  func aFileOfOneVersionGetsTheCurrentOne(_ ending: String) throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let target = folder.path("New.\(ending)")
    let run = try CommandRun("convert", model, "--to", target)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try checksums(target) == [checksums(model)[1]])
  }

  @Test func aModelBecomesSwiftSource() throws {
    let folder = try WorkFolder()
    let model = try PetModel.writeVersions(in: folder)
    let target = folder.path("Pets.swift")
    let run = try CommandRun("convert", model, "--to", target)
    #expect(run.status == 0, "\(run.errors)")
    let source = try String(contentsOfFile: target, encoding: .utf8)
    #expect(source.contains("@Entity final class Pet: Animal {"), "\(source)")
    #expect(source.contains("enum Pets"))
    #expect(!source.contains("enum PetsModel"))
    let code = folder.path("Code.swift")
    #expect(try CommandRun("convert", model, "--to", code, "--code", "--name", "Zoo").status == 0)
    #expect(try String(contentsOfFile: code, encoding: .utf8).contains("enum ZooModel"))
  }

  @Test(arguments: ["momd", "mom", "xcdatamodeld", "xcdatamodel", "swift"])
  func whatIsThereStays(_ ending: String) throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    let target = folder.path("New.\(ending)")
    #expect(try CommandRun("convert", model, "--to", target).status == 0)
    let other = try PetModel.write(
      PetModel.contents(PetModel.note), to: "Note.xcdatamodel", in: folder)
    let run = try CommandRun("convert", other, "--to", target)
    #expect(run.status == 3)
    #expect(run.errors.contains("--replace"), "\(run.errors)")
    if ending != "swift" { #expect(try checksums(target) == checksums(model)) }
    #expect(try CommandRun("convert", other, "--to", target, "--replace").status == 0)
    if ending != "swift" { #expect(try checksums(target) == checksums(other)) }
  }

  @Test func theEndingNamesTheForm() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    let run = try CommandRun("convert", model, "--to", folder.path("New.xcdatamodell"))
    #expect(run.status == 2)
    #expect(run.errors.contains("Did you mean .xcdatamodel"), "\(run.errors)")
    #expect(try CommandRun("convert", model).status == 2)
    #expect(try CommandRun("convert", model, "--to", folder.path("N.mom"), "--code").status == 2)
  }

  @Test func aStoreBecomesTheModelItCarries() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let target = folder.path("Shop.momd")
    let run = try CommandRun("convert", shop.path, "--to", target, "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json([String: Any].self)["file"] as? String == target)
    #expect(try checksums(target) == checksums(shop.path))
  }

  @Test func modelsOfXcodeKeepTheirHashesInEveryForm() throws {
    for model in Fixtures.models {
      let folder = try WorkFolder()
      // A model without a version of today's form is refused by all.
      guard try CommandRun("hashes", model).status == 0 else { continue }
      let target = folder.path("New.momd")
      let run = try CommandRun("convert", model, "--to", target)
      #expect(run.status == 0, "\(model): \(run.errors)")
      #expect(try checksums(target) == checksums(model), "\(model)")
    }
  }
}
