// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesStatements
import Testing

@Suite struct StatementTests {
  private func people() throws -> DataStack {
    let stack = try makeStack()
    try stack.fill { context in
      for (name, age) in [("Ann", 40), ("Bob", 20), ("Cid", 30)] {
        let person = Person.create(in: context)
        person.name = name
        person.age = age
      }
      let manager = Manager.create(in: context)
      manager.name = "Dot"
      manager.age = 50
      manager.bonus = 7
    }
    return stack
  }

  @Test func rowsAreTuples() throws {
    let rows = try people().main.performAndWait { context throws in
      try context.rows(
        """
        SELECT \(\Person.name), rank() OVER (ORDER BY \(\Person.age)) FROM \(Person.self)
        WHERE \(\Person.age) > \(25)
        """, as: (String, Int).self)
    }
    #expect(rows.map(\.0) == ["Cid", "Ann", "Dot"])
    #expect(rows.map(\.1) == [1, 2, 3])
  }

  /// A process has one hook, so the test has a process.
  @Test func whoTracesStatementsSeesThem() async {
    await #expect(processExitsWith: .success) {
      let heard = Guarded<[String]>([])
      SQLTrace.setHook { text in heard.withLock { $0.append(text) } }
      try makeStack().main.performAndWait { context throws in
        _ = try context.rows(
          "SELECT 'traced', count(*) FROM \(Person.self)", as: (String, Int).self)
      }
      #expect(heard.withLock { $0.contains { $0.contains("SELECT 'traced', count(*)") } })
    }
  }

  private struct Ranked: Decodable, Equatable {
    var name: String
    var nickname: String?
    var rank: Int
  }

  @Test func rowsDecodeThemselvesByTheNamesOfPropertiesAndColumns() throws {
    let rows = try people().main.performAndWait { context throws in
      try context.rows(
        """
        SELECT \(\Person.name), \(\Person.nickname), rank() OVER (ORDER BY \(\Person.age)) AS rank
        FROM \(Person.self) ORDER BY rank LIMIT 2
        """, as: Ranked.self)
    }
    #expect(
      rows == [
        Ranked(name: "Bob", nickname: nil, rank: 1), Ranked(name: "Cid", nickname: nil, rank: 2),
      ])
  }

  @Test func aSingleColumnGivesValues() throws {
    try people().main.performAndWait { context throws in
      #expect(try context.rows("SELECT count(*) FROM \(Person.self)", as: Int.self) == [4])
      let names = try context.rows(
        "SELECT max(\(\Person.nickname)) FROM \(Person.self)", as: String?.self)
      #expect(names == [nil])
    }
  }

  @Test func keysBecomeIdsAndObjects() throws {
    try people().main.performAndWait { context throws in
      let query: SQLQuery = "SELECT \(\Person.objectID) FROM \(Person.self) ORDER BY \(\Person.age)"
      let ids = try context.rows(query, as: ManagedObjectID.self)
      let objects = try context.rows(query, as: Person.self)
      #expect(objects.map(\.name) == ["Bob", "Cid", "Ann", "Dot"])
      #expect(objects.map(\.objectID) == ids)
      // Each key names the object's own entity.
      #expect(ids.map(\.entityName) == ["Person", "Person", "Person", "Manager"])
      #expect(objects.last is Manager)
    }
  }

  @Test func aTableHasOnlyTheRowsOfItsEntity() throws {
    try people().main.performAndWait { context throws in
      #expect(
        try context.rows("SELECT \(\Manager.name) FROM \(Manager.self)", as: String.self) == ["Dot"]
      )
      #expect(try context.rows("SELECT count(*) FROM \(Contractor.self)", as: Int.self) == [0])
      let pairs = try context.rows(
        """
        SELECT \(\Person.name, of: "p"), m.\(\Manager.bonus)
        FROM \(Person.self, as: "p"), \(Manager.self, as: "m") ORDER BY 1 LIMIT 1
        """, as: (String, Int).self)
      #expect(pairs.first?.0 == "Ann")
      #expect(pairs.first?.1 == 7)
    }
  }

  @Test func aTextOfTheProgramIsAValue() throws {
    try people().main.performAndWait { context throws in
      let text = "Ann'; DROP TABLE ZPERSON; --"
      let found = try context.rows(
        "SELECT count(*) FROM \(Person.self) WHERE \(\Person.name) = \(text)", as: Int.self)
      #expect(found == [0])
      #expect(try context.rows("SELECT \(text)", as: String.self) == [text])
    }
  }

  @Test func listsObjectsAndNilAreValues() throws {
    let stack = try makeStack()
    try stack.fillOrganization()
    try stack.main.performAndWait { context throws in
      let ages = [1, 2, 3]
      #expect(
        try context.rows("SELECT 2 IN \(ages), 4 IN \(ages)", as: (Bool, Bool).self).first! == (
          true, false
        ))
      let alice = try #require(try Person.first(where: \.name == "Alice", in: context))
      let reports = try context.rows(
        "SELECT \(\Person.name) FROM \(Person.self) WHERE \(\Person.boss) = \(alice) ORDER BY 1",
        as: String.self)
      #expect(reports == ["Bob", "Cindy"])
      let same = try context.rows(
        "SELECT \(\Person.name) FROM \(Person.self) WHERE \(\Person.boss) IN \([alice.objectID]) ORDER BY 1",
        as: String.self)
      #expect(same == reports)
      let nobody: Int? = nil
      #expect(try context.rows("SELECT \(nobody) IS NULL", as: Bool.self) == [true])
    }
  }

  @Test func statementsAreComposed() throws {
    try people().main.performAndWait { context throws in
      let adults: SQLQuery = "SELECT * FROM \(Person.self) WHERE \(\Person.age) >= \(30)"
      let names = try context.rows(
        "SELECT \(\Person.name) FROM (\(adults)) WHERE \(\Person.age) < \(45) ORDER BY 1",
        as: String.self)
      #expect(names == ["Ann", "Cid"])
    }
  }

  @Test func aToOneColumnLeadsToObjects() throws {
    let stack = try makeStack()
    try stack.fillOrganization()
    try stack.main.performAndWait { context throws in
      let rows = try context.rows(
        "SELECT \(\Person.name), \(\Person.boss) FROM \(Person.self) ORDER BY 1 LIMIT 2",
        as: (String, Person?).self)
      #expect(rows.map { $0.1?.name } == [nil, "Alice"])
      let ids = try context.rows(
        "SELECT \(\Person.boss) FROM \(Person.self) WHERE \(\Person.boss) IS NOT NULL",
        as: ManagedObjectID.self)
      #expect(Set(ids.map(\.entityName)) == ["Person"])
    }
  }

  @Test func linksOfManyToManyRelationshipsAreATable() throws {
    let stack = try makeStack()
    try stack.fill { context in
      let project = Project.create(in: context)
      project.title = "Bridge"
      for name in ["Ann", "Bob"] {
        let person = Person.create(in: context)
        person.name = name
        project.members.insert(person)
      }
    }
    try stack.main.performAndWait { context throws in
      let names = try context.rows(
        """
        SELECT p.\(\Person.name), link.owner FROM \(links: \Project.members, as: "link")
        JOIN \(Person.self, as: "p") ON p.\(\Person.objectID) = link.member ORDER BY 1
        """, as: (String, Project).self)
      #expect(names.map(\.0) == ["Ann", "Bob"])
      #expect(names.map(\.1.title) == ["Bridge", "Bridge"])
    }
  }

  @Test func anAttributeOfEachTypeComesBackAsItWas() throws {
    let folder = try TemporaryFolder()
    let stack = try makeStack(at: folder.url.appendingPathComponent("types.sqlite"))
    let day = Date(timeIntervalSinceReferenceDate: 1_000.5)
    let token = UUID()
    let photo = Data(repeating: 7, count: 300_000)
    try stack.fill { context in
      let sample = Sample.create(in: context)
      (sample.number, sample.small, sample.middle) = (.max, -3, 70_000)
      (sample.isGood, sample.ratio, sample.part) = (true, 0.25, 1.5)
      sample.price = try #require(Decimal(string: "12345678901234567890.12"))
      (sample.text, sample.day, sample.token) = ("ß", day, token)
      (sample.site, sample.bytes, sample.photo) = (
        URL(string: "https://a.b/c"), Data([1, 2]), photo
      )
      (sample.tags, sample.grade, sample.spot) = (["x", "y"], .high, Spot(x: 1, y: 2))
    }
    try stack.main.performAndWait { context throws in
      let numbers = try context.rows(
        """
        SELECT \(\Sample.number), \(\Sample.small), \(\Sample.middle), \(\Sample.isGood),
          \(\Sample.ratio), \(\Sample.part), \(\Sample.price) FROM \(Sample.self)
        """, as: (Int, Int16, Int32, Bool, Double, Float, Decimal).self)
      let (number, small, middle, isGood, ratio, part, price) = try #require(numbers.first)
      #expect((number, small, middle) == (.max, -3, 70_000))
      #expect((isGood, ratio, part) == (true, 0.25, 1.5))
      #expect(price == Decimal(string: "12345678901234567890.12"))
      let others = try context.rows(
        """
        SELECT \(\Sample.text), \(\Sample.day), \(\Sample.token), \(\Sample.site), \(\Sample.bytes)
        FROM \(Sample.self)
        """, as: (String, Date?, UUID, URL, Data?).self)
      let (text, read, uuid, site, bytes) = try #require(others.first)
      #expect((text, read, uuid) == ("ß", day, token))
      #expect((site.absoluteString, bytes) == ("https://a.b/c", Data([1, 2])))
      let rest = try context.rows(
        """
        SELECT \(\Sample.photo, of: "s"), length(\(\Sample.photo)), \(\Sample.tags), \(\Sample.grade),
          \(\Sample.spot?.y) FROM \(Sample.self, as: "s") WHERE \(\Sample.grade) = \(Grade.high)
        """, as: (Data, Int, [String], Grade, Double).self)
      let (large, length, tags, grade, y) = try #require(rest.first)
      #expect((large, length, tags) == (photo, 300_000, ["x", "y"]))
      #expect((grade, y) == (.high, 2))
    }
  }

  private struct Snap: Decodable {
    var photo: Data?
    var day: Date?
    var price: Decimal
    var tags: [String]
    var grade: Grade
    var id: ManagedObjectID
  }

  @Test func rowsThatDecodeThemselvesHaveValuesOfAllTypes() throws {
    let stack = try makeStack()
    let photo = Data(repeating: 9, count: 200_000)
    try stack.fill { context in
      let sample = Sample.create(in: context)
      (sample.photo, sample.price, sample.tags) = (photo, 1.5, ["a"])
    }
    try stack.main.performAndWait { context throws in
      let rows = try context.rows(
        """
        SELECT \(\Sample.photo), \(\Sample.day), \(\Sample.price), \(\Sample.tags), \(\Sample.grade),
          \(\Sample.objectID) AS id FROM \(Sample.self)
        """, as: Snap.self)
      let snap = try #require(rows.first)
      #expect((snap.photo, snap.day, snap.price) == (photo, nil, 1.5))
      #expect((snap.tags, snap.grade) == (["a"], .low))
      #expect(try context.object(with: snap.id) is Sample)
    }
  }
}

extension Grade: Decodable {}
