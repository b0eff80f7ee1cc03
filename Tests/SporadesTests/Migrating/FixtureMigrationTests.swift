// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

/// Stores of real programs go from version to version by the mapping models that their authors made in Xcode.
/// Without the fixtures, the suite is skipped.
@Suite(.enabled(if: MigrationFixtures.areThere))
struct FixtureMigrationTests {
  private typealias F = MigrationFixtures
  private let folder: MigrationFolder

  init() throws { folder = try MigrationFolder() }

  /// Migrates a file in place through versions. A nil mapping is inferred.
  private func migrate(
    _ url: URL, _ models: [ManagedObjectModel], _ mappings: [[MappingModel]?]
  ) throws {
    for (number, mapping) in mappings.enumerated() {
      let manager = MigrationManager(source: models[number], destination: models[number + 1])
      manager.registerFixturePolicies()
      let inferred = MappingModel.inferred(from: models[number], to: models[number + 1])
      try manager.migrateStore(from: url, with: mapping ?? [inferred])
    }
    #expect(try folder.names.allSatisfy { !$0.contains("migrating") })
  }

  // MARK: - Moods

  private func moody(_ numbers: ClosedRange<Int>) throws -> [ManagedObjectModel] {
    try numbers.map { number in
      try F.model("\(F.moody)/Moody.xcdatamodeld/Moody\(number == 1 ? "" : " \(number)")")
    }
  }

  private func moodyMapping(_ number: Int) throws -> [MappingModel] {
    [try F.mapping("\(F.moody)/Moody \(number)-Moody \(number + 1)")]
  }

  private struct Mood: Hashable {
    let remoteID: Value
    let date: Value
    let colors: Value
    let country: Value
  }

  private func moods(_ context: ManagedObjectContext, id: String = "remoteID") throws -> Set<Mood> {
    Set(
      try context.all("Mood").map { mood in
        Mood(
          remoteID: mood[id], date: mood["date"], colors: mood["colors"],
          country: mood.object(forKey: "country")?["numericISO3166Code"] ?? .null)
      })
  }

  @Test func theFirstVersionOfMoodsGoesToTheSixthWithNothingLost() throws {
    let url = try F.copy("objcio+core-data/Moody.moody", to: folder.url)
    let models = try moody(1...6)
    let before = try withObjects(of: url, models[0]) { (context) throws in
      (
        moods: try moods(context, id: "remoteIdentifier"),
        countries: Set(try context.all("Country").map { $0["numericISO3166Code"] }),
        continents: Set(
          try context.all("Country").compactMap {
            $0.object(forKey: "continent")?["numericISO3166Code"]
          })
      )
    }
    let identifier = try SQLiteStore.metadata(ofStoreAt: url)["NSStoreUUID"]
    try migrate(
      url, models, [nil] + (2...5).map { try moodyMapping($0) } as [[MappingModel]?])
    try withObjects(of: url, models[5]) { (context) throws in
      #expect(try moods(context) == before.moods)
      #expect(Set(try context.all("Country").map { $0["numericISO3166Code"] }) == before.countries)
      #expect(
        Set(try context.all("Continent").map { $0["numericISO3166Code"] }) == before.continents)
      #expect(try context.all("Mood").allSatisfy { $0["rating"] == 0 })
    }
    #expect(before.moods.count == 4)
    #expect(try SQLiteStore.metadata(ofStoreAt: url)["NSStoreUUID"] == identifier)
    guard
      case .list(let lineage)? = try SQLiteStore.metadata(ofStoreAt: url)["SporadesModelLineage"]
    else {
      Issue.record("The store does not list its versions.")
      return
    }
    #expect(lineage == models.dropLast().map { .string($0.versionChecksum) })
  }

  @Test func theThirdVersionOfMoodsLinksContinents() throws {
    let url = try F.copy("objcio+core-data/Moody.moody", to: folder.url)
    let models = try moody(1...3)
    try migrate(url, models, [nil, try moodyMapping(2)])
    try withObjects(of: url, models[2]) { (context) throws in
      for mood in try context.all("Mood") {
        let continent = mood.object(forKey: "country")?.object(forKey: "continent")
        #expect(mood.object(forKey: "continent") === continent)
        #expect(continent?.objects(forKey: "moods").contains(mood) == true)
      }
      #expect(try context.all("Continent").count == 2)
    }
  }

  @Test(arguments: [("Moody 3", 3), ("Moody 5", 5)])
  func laterVersionsOfMoodsGoToTheSixth(_ name: String, _ number: Int) throws {
    let url = try F.copy("objcio+core-data/\(name).moody", to: folder.url)
    let models = try moody(number...6)
    let before = try withObjects(of: url, models[0]) { try moods($0) }
    try migrate(url, models, (number...5).map { try moodyMapping($0) } as [[MappingModel]?])
    try withObjects(of: url, models[models.count - 1]) { (context) throws in
      #expect(try moods(context) == before)
      let codes = try context.all("Country").map {
        ($0["numericISO3166Code"], $0.object(forKey: "continent")?["numericISO3166Code"])
      }
      let wanted: [Value: Value] = [710: 10004, 704: 10005, 231: 10004]
      for (code, continent) in codes { #expect(wanted[code] == continent) }
      #expect(codes.count == 3)
    }
  }

  // MARK: - Books

  @Test func booksGetAuthorsAndThenFiles() throws {
    let url = try F.copy("hwaxxer+BookMigration/Model1.sqlite", to: folder.url)
    let models = try (1...3).map { try F.model("\(F.books)/Model.xcdatamodeld/Model\($0)") }
    let before = try withObjects(of: url, models[0]) { (context) throws in
      try context.all("Book").map {
        [
          $0["title"], $0["authorName"], $0["fileURL"],
          $0.object(forKey: "user")?["userId"] ?? .null,
        ]
      }
    }
    #expect(!before.isEmpty)
    try migrate(
      url, models,
      [
        [try F.mapping("\(F.books)/Model1_to_Model2")],
        [
          try F.mapping("\(F.books)/Model2_to_Model3_User"),
          try F.mapping("\(F.books)/Model2_to_Model3"),
        ],
      ])
    try withObjects(of: url, models[2]) { (context) throws in
      let after = try context.all("Book").map { book in
        let files = book.objects(forKey: "files")
        return [
          book["title"], book.objects(forKey: "authors").first?["name"] ?? .null,
          files.first?["fileURL"] ?? .null, files.first?.object(forKey: "user")?["userId"] ?? .null,
        ]
      }
      #expect(Set(after) == Set(before))
      #expect(try context.all("Author").count == Set(before.map { $0[1] }).count)
    }
  }

  // MARK: - Posts

  @Test func aThousandPostsGetTheirColors() throws {
    let url = try F.copy(
      "wibosco+CoreDataMigration-Example/CoreDataMigration_Example_1.sqlite", to: folder.url)
    let base = "\(F.posts)/Model/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example"
    let models = try ["", " 2", " 3", " 4"].map { try F.model(base + $0) }
    let before = try withObjects(of: url, models[0]) { (context) throws in
      try context.all("Post").map { [$0["postID"], $0["date"], $0["color"]] }
    }
    #expect(before.count == 1001)
    try migrate(
      url, models,
      [
        [try F.mapping("\(F.posts)/Migration/Mappings/Migration1to2")],
        [try F.mapping("\(F.posts)/Migration/Mappings/Migration2to3")], nil,
      ])
    try withObjects(of: url, models[3]) { (context) throws in
      let after = try context.all("Post").map {
        [$0["postID"], $0["date"], $0.object(forKey: "color")?["hex"] ?? .null]
      }
      #expect(after == before)
      #expect(try context.all("Post").allSatisfy { $0["hide"] == false })
    }
  }

  // MARK: - Stores that the tests fill

  @Test func employeesGetCompanies() throws {
    let url = folder.url.appendingPathComponent("employees.sqlite")
    let models = try (1...3).map {
      try F.model("\(F.employees)/ExampleModel.xcdatamodeld/Version \($0)")
    }
    let birth = Value.date(Date(timeIntervalSinceReferenceDate: -3e8))
    try withObjects(of: url, models[0]) { (context) throws in
      for number in 1...5 {
        try context.add(
          "Employee",
          ["name": .string("E\(number)"), "birthDate": birth, "salary": .decimal(Decimal(number))])
      }
    }
    try migrate(
      url, models,
      [
        [try F.mapping("\(F.employees)/Version1_to_Version2")],
        [try F.mapping("\(F.employees)/Version2_to_Version3")],
      ])
    try withObjects(of: url, models[2]) { (context) throws in
      let employees = try context.all("Employee")
      #expect(employees.map { $0["name"] } == ["E1", "E2", "E3", "E4", "E5"])
      #expect(employees.map { $0["salary"] } == (1...5).map { .decimal(Decimal($0)) })
      #expect(employees.allSatisfy { $0["birthDate"] == birth })
      let companies = try context.all("Company")
      #expect(companies.map { $0["name"] } == Array(repeating: "Unknown", count: 5))
      #expect(companies.map { $0["profits"] } == Array(repeating: .decimal(0), count: 5))
      let founded = Set(companies.map { $0["dateFounded"] })
      #expect(founded.count == 1 && !founded.contains(.null))
    }
  }

  @Test func notesGetAttachmentsAndThenImages() throws {
    let url = folder.url.appendingPathComponent("notes.sqlite")
    let models = try ["v2", "v3", "v4"].map {
      try F.model("\(F.notes)/UnCloudNotesDataModel.xcdatamodeld/UnCloudNotesDataModel \($0)")
    }
    try withObjects(of: url, models[0]) { (context) throws in
      for number in 1...6 {
        try context.add(
          "Note",
          [
            "title": .string("T\(number)"), "body": .string("B\(number)"),
            "dateCreated": .date(Date(timeIntervalSinceReferenceDate: Double(number))),
            "displayIndex": .integer(Int64(number)),
            "image": number % 2 == 0 ? .data(Data(repeating: 7, count: number)) : .null,
          ])
      }
    }
    try migrate(
      url, models,
      [
        [try F.mapping("\(F.notes)/UnCloudNotesMappingModel_v2_to_v3")],
        [try F.mapping("\(F.notes)/UnCloudNotesMappingModel_v3_to_v4")],
      ])
    try withObjects(of: url, models[2]) { (context) throws in
      let notes = try context.all("Note")
      #expect(notes.map { $0["title"] } == ["T1", "T2", "T3", "T4", "T5", "T6"])
      let images = notes.map { $0.objects(forKey: "attachments") }
      #expect(images.map(\.count) == [0, 1, 0, 1, 0, 1])
      #expect(images.joined().allSatisfy { $0.entity.name == "ImageAttachment" })
      #expect(images.joined().map { $0["caption"] } == ["B2", "B4", "B6"])
      #expect(images.joined().map { $0["width"] } == [2.0, 4.0, 6.0])
      #expect(
        images.joined().map { $0["image"] }
          == [2, 4, 6].map { .data(Data(repeating: 7, count: $0)) })
    }
  }

  @Test func carsGetMakersAndFormerOwners() throws {
    let url = try F.copy("alemar11+CoreDataPlus/SampleModel_V1.sqlite", to: folder.url)
    let models = try ["SampleModel", "SampleModel2", "SampleModel3"].map {
      try F.model("\(F.cars)/SampleModel.xcdatamodeld/\($0)")
    }
    let before = try withObjects(of: url, models[0]) { (context) throws in
      Set(
        try context.all("Car").map { car in
          [
            .string("\(car.entity.name)"), car["numberPlate"], car["model"], car["maker"],
            car.object(forKey: "owner")?["lastName"] ?? .null,
          ]
        })
    }
    #expect(before.count > 100)
    try migrate(url, models, [nil, [try F.mapping("\(F.cars)/MappingModels/V2toV3")]])
    try withObjects(of: url, models[2]) { (context) throws in
      let cars = try context.all("Car")
      let after = Set(
        cars.map { car in
          let name = car.entity.name == "LuxuryCar" ? "ExpensiveSportCar" : car.entity.name
          return [
            .string(name), car["numberPlate"], car["model"],
            car.object(forKey: "createdBy")?["name"] ?? .null,
            car.object(forKey: "owner")?["lastName"] ?? .null,
          ] as [Value]
        })
      #expect(after == before)
      let makers = try context.all("Maker")
      #expect(makers.count == Set(before.map { $0[3] }.filter { !$0.isNull }).count)
      for car in cars {
        let owner = car.object(forKey: "owner").map { [$0] } ?? []
        #expect(car.objects(forKey: "previousOwners") == owner)
      }
      for person in try context.all("Person") {
        #expect(
          Set(person.objects(forKey: "previousCars")) == Set(person.objects(forKey: "cars")))
      }
    }
  }

  @Test func creaturesEvolveAndReturn() throws {
    let url = folder.url.appendingPathComponent("creatures.sqlite")
    let models = try ["V1", "V2"].map {
      try F.model(
        "\(F.creatures)/Advanced.EvolutionDemo.V1.xcdatamodeld/Advanced.EvolutionDemo.\($0)")
    }
    try withObjects(of: url, models[0]) { (context) throws in
      for number in 0..<4 {
        try context.add(
          "Creature",
          ["dnaCode": .integer(Int64(number)), "numberOfFlagella": .integer(Int64(number))])
      }
    }
    try migrate(
      url, models, [[try F.mapping("\(F.creatures)/Advanced.EvolutionDemo.V2.FromV1")]])
    try withObjects(of: url, models[1]) { (context) throws in
      let creatures = try context.all("Creature")
      #expect(creatures.map { $0["numberOfFlippers"] } == [0, 1, 2, 3])
      #expect(creatures.map { $0["hasTail"] } == [false, true, true, true])
      #expect(creatures.map { $0["hasHead"] } == [true, true, true, true])
    }
    try migrate(
      url, models.reversed(), [[try F.mapping("\(F.creatures)/Advanced.EvolutionDemo.V1.FromV2")]])
    try withObjects(of: url, models[0]) { (context) throws in
      #expect(try context.all("Creature").map { $0["numberOfFlagella"] } == [0, 1, 2, 3])
      #expect(try context.all("Creature").map { $0["dnaCode"] } == [0, 1, 2, 3])
    }
  }

  // MARK: - Mappings that cannot be

  @Test func aPolicyThatIsNotRegisteredIsNamedAndNothingChanges() throws {
    let url = try F.copy("objcio+core-data/Moody 5.moody", to: folder.url)
    let models = try moody(5...6)
    let before = try SQLiteStore.metadata(ofStoreAt: url)
    let manager = MigrationManager(source: models[0], destination: models[1])
    let error = #expect(throws: StoreError.self) {
      try manager.migrateStore(from: url, with: moodyMapping(5))
    }
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.policy])
    #expect(problems.first?.sentence.contains("Migrations.Country5ToCountry6Policy") == true)
    #expect(try SQLiteStore.metadata(ofStoreAt: url) == before)
    #expect(
      try folder.names.allSatisfy { $0.hasPrefix("Moody 5.moody") && !$0.contains("migrating") })
  }
}
