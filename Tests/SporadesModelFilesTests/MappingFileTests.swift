// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// Mapping models that people made in Xcode. Without the fixtures, the suite is skipped.
@Suite(.enabled(if: Fixtures.areAvailable))
struct MappingFileTests {
  private static var paths: [String] { Fixtures.paths(named: "xcmapping.xml") }

  /// The text of an attribute of one object in the file, found without the reader.
  private static func texts(_ name: String, of type: String, in text: String) -> [String] {
    text.components(separatedBy: "<object ").dropFirst().filter { $0.hasPrefix("type=\"\(type)\"") }
      .compactMap { object in
        object.components(separatedBy: "<attribute name=\"\(name)\"").dropFirst().first
          .flatMap { $0.components(separatedBy: "</attribute>").first }
          .flatMap { $0.components(separatedBy: ">").dropFirst().first }
      }
  }

  @Test func everyFileIsReadWithAllItsMappings() throws {
    #expect(Self.paths.count == 16)
    var expressions = 0
    for path in Self.paths {
      let model = try MappingModel(contentsOf: Fixtures.url(path).deletingLastPathComponent())
      let text = try String(contentsOf: Fixtures.url(path), encoding: .utf8)
      let ids = text.components(separatedBy: "<relationship name=\"entitymappings\"").last?
        .components(separatedBy: "idrefs=\"").dropFirst().first?
        .components(separatedBy: "\"").first?.split(separator: " ").map(String.init)
      let wanted = try #require(ids)
      #expect(model.entityMappings.count == wanted.count, "\(path)")
      let destinations = Set(model.entityMappings.compactMap(\.destinationEntityName))
      let named = Set(Self.texts("destinationname", of: "XDDEVENTITYMAPPING", in: text))
      #expect(destinations.isSubset(of: named), "\(path)")
      for mapping in model.entityMappings {
        #expect(!mapping.name.isEmpty)
        #expect(!mapping.attributeMappings.isEmpty, "\(path) \(mapping.name)")
        for property in mapping.attributeMappings + mapping.relationshipMappings {
          if case .automatic? = property.valueExpression { continue }
          if property.valueExpression != nil { expressions += 1 }
        }
      }
    }
    // The mappings have 15 archives of expressions and four key paths.
    #expect(expressions == 19)
  }

  @Test func expressionsAreThoseOfTheFile() throws {
    let moody = "mapping/objcio+core-data/Migrations/Migrations/"
    let third = try MappingModel(
      contentsOf: Fixtures.url(moody + "Moody 2-Moody 3.xcmappingmodel"))
    #expect(
      third.entityMappings.map(\.name) == [
        "MoodToMood", "CountryToCountry", "ContinentToContinent",
      ])
    #expect(
      third["ContinentToContinent"]?[relationship: "moods"]?.valueExpression?.description
        == "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + "\"MoodToMood\", $source.countries.@distinctUnionOfSets.moods)")
    let fifth = try MappingModel(
      contentsOf: Fixtures.url(moody + "Moody 4-Moody 5.xcmappingmodel/xcmapping.xml"))
    #expect(
      fifth["CountryToCountry"]?[attribute: "isoContinent"]?.valueExpression
        == "$source.continent.numericISO3166Code")
    let example = "mapping/jessesquires+JSQCoreDataKit/Example/ExampleModel/ExampleModel/"
    let employee = try #require(
      MappingModel(contentsOf: Fixtures.url(example + "Version1_to_Version2.xcmappingmodel"))
        .entityMappings.first)
    #expect(employee[attribute: "companyDateFounded"]?.valueExpression == "now()")
    #expect(employee[attribute: "companyName"]?.valueExpression == "\"Unknown\"")
    #expect(employee[attribute: "companyProfits"]?.valueExpression == "0")
    #expect(employee[attribute: "salary"]?.valueExpression == .automatic)
  }

  @Test func filtersNotesAndPoliciesAreRead() throws {
    let notes = try MappingModel(
      contentsOf: Fixtures.url(
        "mapping/kodecocodes+cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes/"
          + "UnCloudNotesMappingModel_v2_to_v3.xcmappingmodel"))
    #expect(
      notes["NoteToAttachment"]?.sourceExpression
        == .sourceObjects(ofEntity: "Note", where: "image != nil"))
    #expect(
      notes["NoteToAttachment"]?[relationship: "note"]?.valueExpression
        == .destinationInstances(forEntityMappingNamed: "NoteToNote", of: .source))
    let books = try MappingModel(
      contentsOf: Fixtures.url(
        "mapping/hwaxxer+BookMigration/BookMigration/Model1_to_Model2.xcmappingmodel"))
    #expect(books["BookToBook"]?.entityMigrationPolicyClassName == "MHWBookToBookPolicy")
    #expect(books["BookToBook"]?.userInfo == ["modelVersion": "2"])
    #expect(books.entityMappings.map(\.name) == ["UserToUser", "Author", "BookToBook"])
  }

  /// All versions of the models in one repository.
  private func versions(_ folder: String) throws -> [String: ManagedObjectModel] {
    var models: [String: ManagedObjectModel] = [:]
    for path in Fixtures.paths(named: "contents") where path.hasPrefix("models/\(folder)/") {
      let version = Fixtures.url(path).deletingLastPathComponent()
      // One project has two models with a version of the same name; the first one is mapped.
      guard models[version.deletingPathExtension().lastPathComponent] == nil else { continue }
      models[version.deletingPathExtension().lastPathComponent] = try ManagedObjectModel(
        contentsOf: version)
    }
    return models
  }

  @Test(arguments: [
    ("objcio+core-data", "Moody 2", "Moody 3"), ("objcio+core-data", "Moody 3", "Moody 4"),
    ("objcio+core-data", "Moody 4", "Moody 5"), ("objcio+core-data", "Moody 5", "Moody 6"),
    ("jessesquires+JSQCoreDataKit", "Version 1", "Version 2"),
    ("jessesquires+JSQCoreDataKit", "Version 2", "Version 3"),
    ("hwaxxer+BookMigration", "Model1", "Model2"),
    (
      "wibosco+CoreDataMigration-Example", "CoreDataMigration_Example",
      "CoreDataMigration_Example 2"
    ),
    (
      "wibosco+CoreDataMigration-Example", "CoreDataMigration_Example 2",
      "CoreDataMigration_Example 3"
    ),
    ("alemar11+CoreDataPlus", "SampleModel2", "SampleModel3"),
    (
      "kodecocodes+cdt-materials", "UnCloudNotesDataModel v2", "UnCloudNotesDataModel v3"
    ),
    (
      "kodecocodes+cdt-materials", "UnCloudNotesDataModel v3", "UnCloudNotesDataModel v4"
    ),
  ])
  func theMappingModelForTwoVersionsIsFound(_ folder: String, _ old: String, _ new: String) throws {
    let versions = try versions(folder)
    let (old, new) = (try #require(versions[old]), try #require(versions[new]))
    let folders = Set(
      Self.paths.filter { $0.hasPrefix("mapping/\(folder)/") }.map {
        Fixtures.url($0).deletingLastPathComponent().deletingLastPathComponent()
      })
    let found = try #require(
      try MappingModel.mappingModel(from: Array(folders), forSource: old, destination: new))
    #expect(found.problems(from: old, to: new).isEmpty)
    let isAutomatic = found.entityMappings.contains { mapping in
      (mapping.attributeMappings + mapping.relationshipMappings).contains {
        $0.valueExpression == .automatic
      }
    }
    #expect(!isAutomatic)
    #expect(
      try MappingModel.mappingModel(from: Array(folders), forSource: new, destination: old) == nil)
  }

  /// The fixtures may hold the compiled form of one of their mapping models.
  @Test(arguments: ["V2toV3.cdm"])
  func aCompiledFileHasTheExpressionsOfItsSource(_ name: String) throws {
    guard let path = Fixtures.paths(named: name).first else { return }
    let folder =
      "models/alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/"
    let old = try Fixtures.model(folder + "SampleModel2.xcdatamodel")
    let new = try Fixtures.model(folder + "SampleModel3.xcdatamodel")
    let compiled = try MappingModel(contentsOf: Fixtures.url(path))
    let source = try #require(
      Self.paths.first { $0.contains("/V2toV3.xcmappingmodel/") }.map(Fixtures.url))
    let resolved = try MappingModel(contentsOf: source).resolved(from: old, to: new)
    #expect(compiled.fits(from: old, to: new))
    #expect(compiled.problems(from: old, to: new).isEmpty)
    #expect(compiled.entityMappings.map(\.name) == resolved.entityMappings.map(\.name))
    for (left, right) in zip(compiled.entityMappings, resolved.entityMappings) {
      #expect(left.sourceExpression == right.sourceExpression)
      #expect(left.entityMigrationPolicyClassName == right.entityMigrationPolicyClassName)
      #expect(Set(left.attributeMappings) == Set(right.attributeMappings))
      #expect(Set(left.relationshipMappings) == Set(right.relationshipMappings))
    }
  }

  @Test func damagedFilesAreRefusedAndNeverTrap() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix(state: 31)
    for path in Self.paths {
      let bytes = try Data(contentsOf: Fixtures.url(path))
      for _ in 0..<4 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<damaged.count, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: damaged[place] = UInt8.random(in: 32...126, using: &random)
          case 1: damaged = damaged.prefix(place) + bytes.suffix(bytes.count / 3)
          default: damaged.replaceSubrange(place..<min(place + 40, damaged.count), with: [])
          }
          if damaged.isEmpty { damaged = Data([60]) }
          damaged = Data(damaged)
        }
        let url = try folder.write(damaged, to: "xcmapping.xml")
        do {
          _ = try MappingModel(contentsOf: url)
        } catch {
          #expect(!error.problems.isEmpty)
        }
      }
    }
  }
}

/// Mapping files that nobody made in Xcode.
@Suite struct HostileMappingTests {
  private let folder: TemporaryFolder
  private static let head =
    "<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n"

  init() throws { folder = try TemporaryFolder() }

  private func problems(_ text: String) -> [ModelError.Problem] {
    do {
      _ = try MappingModel(contentsOf: try folder.write(text, to: "xcmapping.xml"))
      return []
    } catch let error as ModelError {
      return error.problems
    } catch {
      Issue.record("\(error)")
      return []
    }
  }

  private func database(_ objects: String) -> String {
    Self.head + "<database>\(objects)</database>"
  }

  @Test func otherDocumentTypesAreRefused() {
    for declaration in [
      "<!DOCTYPE database [<!ENTITY a \"b\">]>",
      "<!DOCTYPE database SYSTEM \"file:///etc/passwd\">",
      "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\" [<!ENTITY a \"b\">]>",
    ] {
      #expect(
        problems("<?xml version=\"1.0\"?>\(declaration)<database/>").first?.code == .malformedFile)
    }
    let twice =
      Self.head
      + "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\"><database/>"
    #expect(problems(twice).first?.code == .malformedFile)
  }

  @Test func aFileWithoutAMappingModelIsRefused() {
    #expect(problems(database("")).count == 1)
    #expect(problems(Self.head + "<model/>").count == 1)
    #expect(
      problems(
        database(
          "<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"/><object type=\"XDDEVMAPPINGMODEL\" id=\"z2\"/>"
        )
      ).count == 1)
    #expect(
      problems(
        database("<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"/><object type=\"X\" id=\"z1\"/>")
      ).count == 1)
  }

  @Test func everyProblemHasItsLine() {
    let found = problems(
      database(
        """
        <object type="XDDEVMAPPINGMODEL" id="z1"><relationship name="entitymappings" idrefs="z2 z9"/></object>
        <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename" type="string">A</attribute>
        <relationship name="attributemappings" idrefs="z3 z4"/></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">a</attribute><attribute name="valueexpressiondata" type="binary">YnBsaXN0</attribute></object>
        <object type="XDDEVATTRIBUTEMAPPING" id="z4"/>
        """))
    #expect(found.count == 3)
    #expect(found.compactMap(\.location?.line).count == 3)
  }

  @Test func anObjectThatIsNamedVeryOftenEndsTheReading() {
    let ids = String(repeating: "z2 ", count: 300_000)
    let found = problems(
      database(
        "<object type=\"XDDEVMAPPINGMODEL\" id=\"z1\"><relationship name=\"entitymappings\" idrefs=\"\(ids)\"/></object><object type=\"XDDEVENTITYMAPPING\" id=\"z2\"/>"
      ))
    #expect(found.count == 1)
  }

  @Test func aCompiledFileThatIsNoneIsRefused() throws {
    let url = try folder.write("bplist00 and nothing else", to: "a.cdm")
    let error = #expect(throws: ModelError.self) { try MappingModel(contentsOf: url) }
    #expect(error?.problems.map(\.code) == [.malformedFile])
    #expect(
      throws: ModelError.self,
      performing: {
        try MappingModel(contentsOf: folder.url.appendingPathComponent("missing.cdm"))
      })
  }
}

/// A small seeded generator.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
