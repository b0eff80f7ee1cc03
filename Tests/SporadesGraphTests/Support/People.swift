// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

// Every kind of relationship, derived and composite attributes, and a subentity.

enum People {
  static let classes: [ManagedObject.Type] = [
    Person.self, Member.self, Dog.self, Book.self, Club.self,
  ]
  // The model is written here, so a mistake in it is a mistake of the tests.
  static let model = try! ManagedObjectModel(classes)
}

enum Light: Int16 { case off, dim, bright }
enum Style: String, CaseIterable { case plain, festive }

@Composite struct Spot: Equatable {
  var x: Double = 0
  var y: Double = 0
}

@Composite struct Home: Equatable {
  var city: String?
  var zip: Int = 0
  var isOpen: Bool = false
  var style: Style = .plain
  var light: Light?
  var spot: Spot?
  var text: String { "\(city ?? "") \(zip)" }
}

@Entity class Person: ManagedObject {
  var name: String = ""
  var age: Int = 0
  var home: Home?
  @Relationship(inverse: "spouse") var spouse: Person?
  @Relationship(inverse: "children") var parent: Person?
  @Relationship(deleteRule: .cascade, inverse: "parent") var children: Set<Person>
  @Relationship(inverse: "friends") var friends: Set<Person>
  @Relationship(deleteRule: .cascade, inverse: "owner") var dogs: Set<Dog>
  @Relationship(inverse: "readers") var reads: [Book]
  @Relationship(inverse: "keeper") var shelf: [Book]
  @Relationship(inverse: "holder") var badge: Badge?
  @Relationship(inverse: "members") var club: Club?
  var notes: Set<Note>
  var favourite: Note?
  @Derived("dogs.@count") var dogCount: Int
  @Derived("dogs.@sum.weight") var dogWeight: Int
  @Derived("canonical:(name)") var plainName: String?
  @Derived("now()") var savedAt: Date?
  @Transient var style: Style = .festive
  @Transient var scratch: [Int] = []
}

@Entity final class Member: Person { var number: Int = 0 }

@Entity final class Dog: ManagedObject {
  var name: String = "Rex"
  var weight: Int = 1
  @Relationship(inverse: "dogs") var owner: Person?
  @Derived("owner.name") var ownerName: String?
  @Derived("uppercase:(owner.name)") var ownerLoud: String?
  @Derived("lowercase:(owner.name)") var ownerSoft: String?
}

@Entity final class Book: ManagedObject {
  var title: String = ""
  @Relationship(inverse: "reads") var readers: Set<Person>
  @Relationship(inverse: "shelf") var keeper: Person?
}

@Entity final class Club: ManagedObject {
  @Attribute(.unique) var name: String = ""
  @Relationship(deleteRule: .deny, inverse: "club") var members: Set<Person>
}

@Entity final class Note: ManagedObject { var text: String = "" }

@Entity final class Badge: ManagedObject {
  var code: Int = 0
  @Relationship(inverse: "badge") var holder: Person?
}

extension Person {
  @discardableResult
  static func make(_ name: String, age: Int = 0, in context: ManagedObjectContext) -> Self {
    let person = Self.create(in: context)
    person.name = name
    person.age = age
    return person
  }

  static func named(_ name: String, in context: ManagedObjectContext) throws -> Person {
    try #require(try Person.first(where: \.name == name, in: context))
  }

  static func names(in context: ManagedObjectContext) throws -> [String] {
    try Person.all(sortedBy: \.name, in: context).map(\.name)
  }
}

extension Book {
  static func make(_ titles: String, in context: ManagedObjectContext) -> [Book] {
    titles.map { title in
      let book = Book.create(in: context)
      book.title = String(title)
      return book
    }
  }
}

extension Sequence<Book> {
  var titles: String { map(\.title).joined() }
}
