// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import Testing

// Mistakes that compile. The model names them all at once, each with its entity, its property and the
// nearest name that exists.

@Entity private class Author: ManagedObject {
  @Attribute(.unique) var lastname: String = ""
  @Attribute(.range(..<200)) var age: Int = 0
  @Attribute(.range(0.5..<1)) var share: Double = 1
  @Relationship(inverse: \Book.author) var books: Set<Book>
  @Derived("books.@cuont") var count: Int
  @Derived("lastnme") var copy: String
  @Derived("books.@sum.pagse") var pages: Int
  var home: Home?
}

/// A macro cannot see inherited properties, so the model checks the names.
@Entity private final class Poet: Author {
  #Unique("lastname", "firstname")
  #Index("lastnmae")
  #Index("home.citty")
}

@Entity private final class Book: ManagedObject {
  @Relationship(inverse: "books") var author: Author?
  @Relationship(inverse: "page") var editor: Author?
  @Relationship(inverse: "lastname") var reader: Author?
  var pages: Int = 0
}

@Composite private struct Home { var city: String = "" }

private class Plain: ManagedObject {}
@Entity private class Attendee: ManagedObject { var name: String = "" }
private class Guest: Attendee { var seat: Int = 1 }

@Entity private final class Party: ManagedObject {
  var host: Plain?
  var guests: Set<Guest>
  @Transient var next: Party?
}

private enum First {
  @Entity final class Note: ManagedObject { var text: String = "" }
}
private enum Second {
  @Entity final class Note: ManagedObject { var text: String = "" }
}

@Entity private final class Left: ManagedObject {
  @Relationship(inverse: "one") var one: Right?
  @Relationship(inverse: "one") var two: Right?
  @Relationship(inverse: "self") var mirror: Left?
}
@Entity private final class Right: ManagedObject {
  @Relationship(inverse: "one") var one: Left?
}

@Suite struct DeclarationMistakeTests {
  private func problems(
    _ classes: [ManagedObject.Type], configurations: [String: [ManagedObject.Type]] = [:]
  ) -> [String] {
    do {
      _ = try ManagedObjectModel(classes, configurations: configurations)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test(arguments: [
    ("Author.copy: is derived from lastnme", "The nearest name is lastname."),
    ("Author.pages: sums books.pagse", "Book has no property pagse. The nearest name is pages."),
    ("Author.count: is derived from \"books.@cuont\"", "a to-many @count or @sum"),
    ("Poet.firstname: is part of a uniqueness constraint", "Poet has no property firstname."),
    ("Poet.lastnmae: is part of the index byLastnmae", "The nearest name is lastname."),
    (
      "Poet.home.citty: is part of the index", "home has no member citty. The nearest name is city."
    ),
    ("Author.share: has the range 0.5..<1.0", "write a closed range"),
    ("Book.editor: names Author.page as its inverse", "Known names: books."),
    ("Book.reader: names Author.lastname as its inverse", "Author.lastname is an attribute."),
  ])
  func aMistakeNamesWhatExists(start: String, end: String) {
    let found = problems([Poet.self])
    let problem = found.first { $0.hasPrefix(start) }
    #expect(problem?.hasSuffix(end) == true || problem?.contains(end) == true, "\(found)")
  }

  @Test func aMistakeIsReportedOnce() {
    #expect(problems([Poet.self]).count == 9, "\(problems([Poet.self]))")
  }

  @Test func inversesOnBothSidesAgreeOrBothAreNamed() {
    let found = problems([Left.self])
    #expect(
      found.contains {
        $0.hasPrefix("Left.two: names Right.one as its inverse, but that relationship names one")
      }, "\(found)")
    #expect(!found.contains { $0.hasPrefix("Left.one") || $0.hasPrefix("Right.one") })
    #expect(found.contains { $0.hasPrefix("Left.mirror") && $0.contains("Known names: mirror") })
  }

  @Test func aClassWithoutAnEntityIsNamedWithTheRemedy() {
    #expect(
      problems([Plain.self]) == [
        "The class Plain declares no entity; put @Entity before the class."
      ])
    #expect(
      problems([Guest.self]).first?.contains("no entity of its own and inherits Attendee") == true)
    let party = problems([Party.self])
    #expect(party.contains { $0.hasPrefix("Party.host: leads to the class Plain") })
    #expect(party.contains { $0.hasPrefix("Party.guests: leads to the class Guest") })
    #expect(
      problems([Attendee.self], configurations: ["main": [Plain.self]]).first?.hasPrefix(
        "The configuration main lists the class Plain") == true)
  }

  @Test func twoClassesOfOneNameAreBothNamed() {
    let found = problems([First.Note.self, Second.Note.self])
    #expect(found.count == 1)
    #expect(found.first?.contains("First") == true)
    #expect(found.first?.contains("Second") == true)
    #expect(found.first?.contains("@Entity(\"OtherNote\")") == true)
  }

  @Test func aTypeThatNoPropertyHasIsAProblemOfADeclarationByHand() throws {
    struct Odd {}
    let property = PropertyDeclaration.property("odd", Odd.self)
    #expect(property.name == "odd")
    let transient = PropertyDeclaration.transient("next", Party?.self)
    #expect(transient.name == "next")
  }
}
