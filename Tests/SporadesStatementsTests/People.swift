// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesStatements

@Entity class Person: ManagedObject {
  var name: String = ""
  var age: Int = 0
  var nickname: String?
  var boss: Person?
  @Relationship(inverse: \Person.boss) var reports: Set<Person>
  @Relationship(inverse: \Project.members) var projects: Set<Project>
}

@Entity final class Manager: Person { var bonus: Int = 0 }
@Entity final class Contractor: Person { var fee: Int = 0 }

@Entity final class Project: ManagedObject {
  var title: String = ""
  var members: Set<Person>
}

enum Grade: String { case low, high }

@Composite struct Spot: Hashable {
  var x: Double
  var y: Double
}

/// One attribute of each type.
@Entity final class Sample: ManagedObject {
  var number: Int = 0
  var small: Int16 = 0
  var middle: Int32 = 0
  var isGood: Bool = false
  var ratio: Double = 0
  var part: Float = 0
  var price: Decimal = 0
  var text: String = ""
  var day: Date?
  var token: UUID?
  var site: URL?
  var bytes: Data?
  @Attribute(.externalStorage) var photo: Data?
  var tags: [String] = []
  var grade: Grade = .low
  var spot: Spot?
}

/// The letters of SQLite's documentation of window functions.
@Entity final class Letter: ManagedObject {
  var a: Int = 0
  var b: String = ""
  var c: String = ""
}

/// An edge of a graph.
@Entity final class Edge: ManagedObject {
  var from: Int = 0
  var to: Int = 0
}

let classes: [ManagedObject.Type] = [
  Person.self, Manager.self, Contractor.self, Project.self, Sample.self, Letter.self, Edge.self,
]

/// A stack over a SQLite store: in memory, or in a file.
func makeStack(at url: URL? = nil) throws -> DataStack {
  let model = try ManagedObjectModel(classes)
  let store =
    if let url { try SQLiteStore(url: url, model: model) } else { try SQLiteStore(inMemory: model) }
  return DataStack(store: store, classes: classes)
}

extension DataStack {
  /// Saves what `body` makes, in a context beside main.
  func fill(_ body: (ManagedObjectContext) throws -> Void) throws {
    try newContext().performAndWait { context throws in
      try body(context)
      try context.save()
    }
  }

  /// The organization in SQLite's documentation of recursion: Alice leads Bob and Cindy.
  func fillOrganization() throws {
    try fill { context in
      var people: [String: Person] = [:]
      let bosses = [
        ("Alice", nil), ("Bob", "Alice"), ("Cindy", "Alice"), ("Dave", "Bob"), ("Emma", "Bob"),
        ("Fred", "Cindy"), ("Gail", "Cindy"),
      ]
      for (name, boss) in bosses {
        let person = Person.create(in: context)
        person.name = name
        person.boss = boss.flatMap { people[$0] }
        people[name] = person
      }
    }
  }
}

/// The code of the error that a call throws; nil if it throws none, or another.
func code(_ body: () throws -> Void) -> SQLQueryError.Code? {
  do { try body() } catch let error as SQLQueryError { return error.code } catch {}
  return nil
}

final class TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "sporades-statements-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
