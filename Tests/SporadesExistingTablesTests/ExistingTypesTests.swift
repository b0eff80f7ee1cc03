// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

@Entity(userInfo: .table("sample"))
final class Sample: ManagedObject {
  var small: Int16?
  var middle: Int32?
  var large: Int?
  var single: Float?
  var double: Double?
  var exact: Decimal?
  var truth: Bool?
  var text: String?
  var fixed: String?
  var day: Date?
  var moment: Date?
  @Attribute(.column("zoned")) var instant: Date?
  var uuid: UUID?
  var bytes: Data?
  var document: String?
  @Attribute(.column("list", isReadOnly: true)) var list: String?
}

@Entity(userInfo: .table("animal", discriminator: "kind"))
class Animal: ManagedObject {
  var name = ""
}

@Entity(userInfo: .discriminatorValue("d"))
final class Dog: Animal {
  var tricks: Int?
}

@Entity(userInfo: .discriminatorValue("c"))
final class Cat: Animal {
  @Relationship(inverse: \Basket.cat) var basket: Basket?
}

@Entity(userInfo: .table("basket"))
final class Basket: ManagedObject {
  @Relationship(options: [.column("cat_id")]) var cat: Cat?
}

@Entity(userInfo: .table("worker"))
final class Worker: ManagedObject {
  var name = ""
  @Relationship(options: [.column("boss")]) var chief: Worker?
  @Relationship(inverse: \Worker.chief) var team: Set<Worker>
}

/// The types of columns, and the forms of tables, that other programs have.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ExistingTypesTests {
  @Test func eachTypeGoesThereAndBack() throws {
    let tables = try ExistingTables(
      """
      CREATE TABLE sample (id serial PRIMARY KEY, small smallint, middle integer, large bigint, single real, \
      double double precision, exact numeric(20, 5), truth boolean, text varchar(20), fixed char(5), day date, \
      moment timestamp, zoned timestamptz, uuid uuid, bytes bytea, document jsonb, list integer[])
      """,
      """
      INSERT INTO sample VALUES (DEFAULT, -5, 70000, 5000000000, 0.5, 0.1, 12.34567, true, 'text', 'ab', '2001-01-02', \
      '2001-01-01 12:00:00.5', '2001-01-01 00:00:01Z', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x0102', '{"a": 1}', '{1,2}')
      """)
    let service = tables.service([Sample.self])
    try service.readValue { context in
      let sample = try #require(try Sample.first(in: context))
      #expect((sample.small, sample.middle, sample.large) == (-5, 70_000, 5_000_000_000))
      #expect((sample.single, sample.double) == (0.5, 0.1))
      #expect(sample.exact == Decimal(string: "12.34567"))
      #expect((sample.truth, sample.text, sample.fixed) == (true, "text", "ab"))
      #expect(sample.day == Date(timeIntervalSinceReferenceDate: 86_400))
      #expect(sample.moment == Date(timeIntervalSinceReferenceDate: 43_200.5))
      #expect(sample.instant == Date(timeIntervalSinceReferenceDate: 1))
      #expect(sample.uuid == UUID(uuidString: "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"))
      #expect(
        (sample.bytes, sample.document, sample.list) == (Data([1, 2]), "{\"a\": 1}", "{1,2}"))
    }
    try service.writeSync(durability: .immediate) { context in
      let copy = Sample.create(in: context)
      (copy.small, copy.middle, copy.large) = (1, 2, 3)
      (copy.single, copy.double, copy.exact) = (0.25, 0.1, Decimal(string: "-0.00001"))
      (copy.truth, copy.text, copy.fixed) = (false, "más", "ñ")
      copy.day = Date(timeIntervalSinceReferenceDate: -86_400)
      copy.moment = Date(timeIntervalSinceReferenceDate: 0.25)
      copy.instant = Date(timeIntervalSinceReferenceDate: 0.25)
      (copy.bytes, copy.document) = (Data([255]), "[1]")
    }.get()
    try service.close()
    #expect(
      try tables.ask(
        """
        SELECT small, middle, large, single, double, exact, truth, text, fixed, day, moment, zoned AT TIME ZONE 'UTC', bytes, \
        document, list FROM sample WHERE id = 2
        """)
        == [
          "(1,2,3,0.25,0.1,-0.00001,f,más,\"ñ    \",2000-12-31,\"2001-01-01 00:00:00.25\",\"2001-01-01 00:00:00.25\","
            + "\"\\\\xff\",[1],)"
        ])
  }

  @Test func aColumnTellsTheEntitiesOfRows() throws {
    let tables = try ExistingTables(
      "CREATE TABLE animal (id serial PRIMARY KEY, kind char(1) NOT NULL, name text NOT NULL, tricks integer)",
      "CREATE TABLE basket (id serial PRIMARY KEY, cat_id integer UNIQUE REFERENCES animal)",
      "INSERT INTO animal (kind, name, tricks) VALUES ('d', 'Rex', 3), ('c', 'Tom', NULL)",
      "INSERT INTO basket (cat_id) VALUES (2)")
    let service = tables.service([Animal.self, Dog.self, Cat.self, Basket.self])
    try service.writeSync(durability: .immediate) { context in
      let dog = Dog.create(in: context)
      (dog.name, dog.tricks) = ("Bello", 1)
      let cat = Cat.create(in: context)
      cat.name = "Kitty"
      #expect(Cat.first(where: \.name == "Tom", in: context)?.basket != nil)
      Basket.first(in: context)?.cat = cat
    }.get()
    try service.readValue { context in
      let count = try Animal.count(in: context)
      #expect(count == 4)
      #expect(try Dog.all(sortedBy: \.name, in: context).map(\.name) == ["Bello", "Rex"])
      #expect(try Basket.first(in: context)?.cat?.name == "Kitty")
      #expect(try Cat.first(where: \.name == "Tom", in: context)?.basket == nil)
    }
    try service.close()
    #expect(
      try tables.ask("SELECT kind, name FROM animal WHERE id > 2 ORDER BY name")
        == ["(d,Bello)", "(c,Kitty)"])
    #expect(try tables.ask("SELECT name FROM basket JOIN animal a ON a.id = cat_id") == ["(Kitty)"])
  }

  @Test func rowsOfOneTableComeBehindThoseToWhichTheyLead() throws {
    let tables = try ExistingTables(
      "CREATE TABLE worker (id serial PRIMARY KEY, name text NOT NULL, boss integer REFERENCES worker)"
    )
    let service = tables.service([Worker.self])
    try service.writeSync(durability: .immediate) { context in
      let workers = (0..<50).map { number in
        let worker = Worker.create(in: context)
        worker.name = "\(number)"
        return worker
      }
      for (worker, chief) in zip(workers, workers.dropFirst()) { worker.chief = chief }
    }.get()
    #expect(try tables.ask("SELECT count(boss) FROM worker") == ["(49)"])
    try service.writeSync(durability: .immediate) { context in
      for worker in Worker.all(in: context) { worker.delete(in: context) }
    }.get()
    #expect(try tables.ask("SELECT count(*) FROM worker") == ["(0)"])
    try service.close()
  }

  @Test func rowsInPartitionsAreWritten() throws {
    let tables = try ExistingTables(
      "CREATE SEQUENCE numbers",
      """
      CREATE TABLE worker (id integer PRIMARY KEY DEFAULT nextval('numbers'), name text NOT NULL, boss integer) \
      PARTITION BY RANGE (id)
      """, "CREATE TABLE first PARTITION OF worker FOR VALUES FROM (0) TO (1000)")
    let service = tables.service([Worker.self])
    try service.writeSync { Worker.create(in: $0).name = "Ada" }.get()
    for name in ["Bob", "Cid"] {
      try service.writeSync(durability: .immediate) { Worker.first(in: $0)?.name = name }.get()
    }
    #expect(try tables.ask("SELECT name FROM first") == ["(Cid)"])
    try service.writeSync(durability: .immediate) { Worker.first(in: $0)?.delete(in: $0) }.get()
    #expect(try tables.ask("SELECT name FROM worker").isEmpty)
    try service.close()
  }

  @Test func aViewIsRead() throws {
    let tables = try ExistingTables.music()
    try tables.run(
      "CREATE VIEW sums AS SELECT by_artist AS id, sum(unit_price) AS total FROM album GROUP BY 1")
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Sum", in: .table("sums", key: "id"),
        AttributeDescription("total", .decimal, isOptional: true))
    ])
    let store = try tables.open(model)
    let shape = try #require(model.shape(named: "Sum"))
    let fetch = StoreFetch(shape, where: try FetchPredicate(format: "total != nil"))
    #expect(try store.keys(fetch, in: .committed).map(\.primaryKey) == [1, 2])
    try store.close()
  }

  @Test func textsInTheOrderOfALanguageAreOrderedAsInMemory() throws {
    let tables = try ExistingTables(
      "CREATE TABLE tag (id bigserial PRIMARY KEY, name text COLLATE \"en-x-icu\" NOT NULL)",
      "INSERT INTO tag (name) VALUES ('b'), ('A'), ('a'), ('B'), ('á'), ('Zoo')")
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Word", in: .table("tag"), AttributeDescription("name", .string))
    ])
    let stack = try DataStack(
      existingTablesAt: tables.place.server.address, model: model, options: tables.place.options)
    try stack.newContext().performAndWait { context in
      func names(_ format: String) throws -> [Value] {
        var request = FetchRequest("Word", where: try FetchPredicate(format: format))
        request.sortTerms = [SortTerm("name")]
        return try context.fetch(request).map { $0.value(forKey: "name") }
      }
      func texts(_ names: String...) -> [Value] { names.map { .string($0) } }
      let all = try names("TRUEPREDICATE")
      #expect(all == texts("A", "B", "Zoo", "a", "b", "á"))
      #expect(try names("name < 'a'") == texts("A", "B", "Zoo"))
      #expect(try names("name BETWEEN {'B', 'a'}") == texts("B", "Zoo", "a"))
      #expect(try names("name BEGINSWITH 'Z'") == texts("Zoo"))
      #expect(try names("name == 'a'") == texts("a"))
    }
    try stack.store.close()
  }
}
