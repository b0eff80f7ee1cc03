// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `sporades drift`.
@Suite struct DriftTests {
  private func write(_ source: String, to name: String, in folder: WorkFolder) throws {
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(source.utf8).write(to: url)
  }

  private func model(_ folder: WorkFolder) throws -> String {
    try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
  }

  @Test func classesOfSporadesThatFitEndWithZero() throws {
    let folder = try WorkFolder()
    let path = try model(folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("Source"), withIntermediateDirectories: true)
    let converted = try CommandRun("convert", path, "--to", folder.path("Source/Pets.swift"))
    #expect(converted.status == 0)
    let run = try CommandRun("drift", path, folder.path("Source"))
    #expect(run.status == 0, "\(run.output)")
    #expect(run.errors == "Files read: 1. Entities with a class: 4 of 4. Differences: 0.\n")
  }

  @Test func classesOfXcodeAreFoundInTheirExtensions() throws {
    let folder = try WorkFolder()
    try write(
      """
      import CoreData
      /* class Owner: NSManagedObject { @NSManaged var wrong: Int16 } /* nested */ */
      @objc(Owner) public class Owner: NSManagedObject {
        let text = "class Fake { \\(value("}"))"
        func f() { class Local {}; let x = #"{"# }
      }
      """, to: "Source/Owner+CoreDataClass.swift", in: folder)
    try write(
      """
      extension Owner {
        @nonobjc public class func fetchRequest() -> NSFetchRequest<Owner> { .init() }
        @NSManaged public var name: String?
        @NSManaged public var born: Date?
        @NSManaged public var pets: NSSet?
      }
      // MARK: Generated accessors for pets
      extension Owner {
        @objc(addPetsObject:)
        @NSManaged public func addToPets(_ value: Pet)
      }
      class Animal: NSManagedObject {
        @NSManaged
        var age: Int16
      }
      class Pet: Animal { @NSManaged var owner: Owner? }
      final class Note: NSManagedObject { @NSManaged var text: String?; @NSManaged var primitiveText: String? }
      """, to: "Source/Deep/Rest.swift", in: folder)
    let run = try CommandRun("drift", try model(folder), folder.path("Source"))
    #expect(run.status == 0, "\(run.output)")
  }

  @Test func eachDifferenceHasItsFileAndLine() throws {
    let folder = try WorkFolder()
    try write(
      """
      @Entity final class Owner: ManagedObject {
        var name: String?
        var born: Date?
        var nmae = ""
        var pets: Pet?
        @Ignored var cache = 1
        var computed: Int { 1 }
        static var shared: Int = 2
      }
      @Entity class Animal: ManagedObject { var age: Int64 = 0 }
      @Entity("Pet") final class Dog: Animal { var owner: Set<Owner> }
      @Entity final class Cat: ManagedObject {}
      """, to: "Source/All.swift", in: folder)
    let run = try CommandRun("drift", try model(folder), folder.path("Source"), "--json")
    #expect(run.status == 1, "\(run.output)")
    let answer: [String: Any] = try run.json()
    let differences = try #require(answer["differences"] as? [[String: Any]])
    let found = differences.map { difference in
      "\(difference["kind"] ?? ""):\(difference["entity"] ?? "").\(difference["property"] ?? ""):\(difference["line"] ?? "")"
    }.map { $0.replacingOccurrences(of: "<null>", with: "") }
    #expect(
      found == [
        "type:Animal.age:10", "missingClass:Note.:", "optionality:Owner.name:2",
        "cardinality:Owner.pets:5", "missingInModel:Owner.nmae:4", "cardinality:Pet.owner:11",
        "missingEntity:.:12",
      ], "\(found)")
    let text = try CommandRun("drift", try model(folder), folder.path("Source")).output
    #expect(text.contains("All.swift:4: Owner.nmae: "), "\(text)")
    #expect(text.contains("The nearest name is name."))
  }

  @Test func whatTheClassLacksIsNamed() throws {
    let folder = try WorkFolder()
    try write(
      "class Owner: NSManagedObject {\n  @NSManaged var name: Int32\n}", to: "Owner.swift",
      in: folder)
    let run = try CommandRun("drift", try model(folder), folder.path("Owner.swift"))
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        "Owner.swift:1: Owner.born: The class Owner does not have this attribute"),
      "\(run.output)")
    #expect(run.output.contains("Owner.swift:2: Owner.name: The class has the type Int32"))
  }

  @Test func linksAreNotFollowed() throws {
    let folder = try WorkFolder()
    try write("@Entity class Stranger: ManagedObject {}", to: "Outside/Stranger.swift", in: folder)
    try write("struct Nothing {}", to: "Source/Nothing.swift", in: folder)
    for name in ["Stranger.swift", "Folder"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("Source/\(name)"),
        withDestinationPath: folder.path(name == "Folder" ? "Outside" : "Outside/Stranger.swift"))
    }
    let run = try CommandRun("drift", try model(folder), folder.path("Source"))
    #expect(!run.output.contains("Stranger"), "\(run.output)")
    #expect(run.errors.hasPrefix("Files read: 1."))
  }

  @Test(arguments: [
    "", "\"", "\"\\(", "/*", "`", "#\"", "@", "class", "class A", "class A {", "var", "var x: ",
    "}}}}", "class A { var x: Set<", "extension .x {", "#if", "#", "\"\"\"\\(\"\\(",
    "class A { var x = ",
  ])
  func brokenSourceIsPassedOver(_ source: String) throws {
    let folder = try WorkFolder()
    try write(source, to: "Source/Broken.swift", in: folder)
    let run = try CommandRun("drift", try model(folder), folder.path("Source"))
    #expect(run.status == 1, "\(run.errors)")
  }

  @Test func sourceThatNestsWithoutEndIsReadToItsEnd() throws {
    let folder = try WorkFolder()
    for (place, piece) in ["{", "(", "\"\\(", "/*", "class A {", "class A { var x: [", "#"]
      .enumerated()
    {
      try write(
        String(repeating: piece, count: 20_000), to: "Source/Deep\(place).swift", in: folder)
    }
    try Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }).write(
      to: URL(fileURLWithPath: folder.path("Source/Bytes.swift")))
    let run = try CommandRun("drift", try model(folder), folder.path("Source"))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("Files read: 8."), "\(run.errors)")
  }

  @Test func aFolderThatIsNotThereEndsWithThree() throws {
    let folder = try WorkFolder()
    let run = try CommandRun("drift", try model(folder), folder.path("Nothing"))
    #expect(run.status == 3)
    #expect(run.errors.contains("There is no folder"), "\(run.errors)")
  }

  @Test func classesMadeOfModelsOfOthersFitThem() throws {
    for model in Fixtures.models {
      let folder = try WorkFolder()
      let source = folder.path("Source.swift")
      guard try CommandRun("convert", model, "--to", source, "--name", "Made").status == 0 else {
        continue
      }
      let run = try CommandRun("drift", model, source)
      #expect(run.status == 0, "\(model): \(run.output)\(run.errors)")
    }
  }
}
