// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades validate`.
@Suite struct ValidateTests {
  @Test func aModelWithoutMistakesEndsWithZero() throws {
    let folder = try WorkFolder()
    let run = try CommandRun("validate", try PetModel.writeVersions(in: folder))
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.errors == "2 versions: 0 mistakes, 0 warnings.\n")
  }

  @Test func eachMistakeHasItsFileAndLine() throws {
    let folder = try WorkFolder()
    let broken = PetModel.usual.replacingOccurrences(
      of: #"destinationEntity="Pet""#, with: #"destinationEntity="Cat""#)
    let good = try PetModel.write(PetModel.usual, to: "Good.xcdatamodel", in: folder)
    let bad = try PetModel.write(broken, to: "Bad.xcdatamodel", in: folder)
    let run = try CommandRun("validate", good, bad)
    #expect(run.status == 1)
    #expect(run.output.contains("Bad.xcdatamodel/contents:6: error: Owner.pets: "), "\(run.output)")
    #expect(!run.output.contains("Good"))
    let answer: [String: Any] = try CommandRun("validate", good, bad, "--json").json()
    let models = try #require(answer["models"] as? [[String: Any]])
    #expect(models.count == 2)
    let mistake = try #require((models[1]["mistakes"] as? [[String: Any]])?.first)
    #expect(mistake["line"] as? Int == 6)
    #expect(mistake["entity"] as? String == "Owner")
    #expect(mistake["code"] as? String == "missingDestination")
  }

  @Test func aMistakeInAnEarlierVersionIsFound() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(
      versions: [("Pets", "<model><entity/></model>"), ("Pets 2", PetModel.usual)],
      to: "Pets.xcdatamodeld", in: folder)
    let run = try CommandRun("validate", model)
    #expect(run.status == 1)
    #expect(run.output.contains("/Pets.xcdatamodel/contents:1: error:"), "\(run.output)")
  }

  @Test func whatCannotBeReadEndsWithThree() throws {
    let folder = try WorkFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("Empty.xcdatamodeld"), withIntermediateDirectories: true)
    let run = try CommandRun("validate", folder.path("Empty.xcdatamodeld"))
    #expect(run.status == 3)
    #expect(run.output.contains("error: holds no .xcdatamodel"), "\(run.output)")
    #expect(try CommandRun("validate", folder.path("Nothing.xcdatamodeld")).status == 3)
    #expect(try CommandRun("validate").status == 2)
  }

  @Test func textsOfAFileCommandNoTerminal() throws {
    let folder = try WorkFolder()
    let name = "Ev\u{202E}il"
    let broken = PetModel.contents(
      "<entity name=\"\(name)\"><attribute name=\"a\" attributeType=\"Nonsense\"/></entity>")
    let path = try PetModel.write(broken, to: "Bad.xcdatamodel", in: folder)
    let run = try CommandRun("validate", path)
    #expect(run.status == 1)
    #expect(!run.output.unicodeScalars.contains("\u{202E}"))
  }
}
