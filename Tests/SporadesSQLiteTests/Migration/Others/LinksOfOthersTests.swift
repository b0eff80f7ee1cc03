// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What the tests and issues of other projects ask of a migration, about relationships.
@Suite struct LinksOfOthersTests {
  private func person(_ links: RelationshipDescription...) -> EntityDescription {
    entity("Person", text("name"), links: links)
  }

  private func book(_ links: RelationshipDescription...) -> EntityDescription {
    entity("Book", text("title"), links: links)
  }

  /// Two persons: Ada with the books A, B and C, Eve with none.
  private func library(
    _ person: EntityDescription, _ book: EntityDescription, by name: String = "books"
  ) throws -> OtherStore {
    try OtherStore(person, book) { context throws in
      let ada = try context.add("Person", ["name": "Ada"])
      try context.add("Person", ["name": "Eve"])
      let books = try ["A", "B", "C"].map { try context.add("Book", ["title": .string($0)]) }
      ada.setObjects([books[2], books[0], books[1]], forKey: name)
    }
  }

  private func titles(_ context: ManagedObjectContext, _ name: String, of person: Int = 0) throws
    -> [Value]
  {
    try context.allByKey("Person")[person].objects(forKey: name).map { $0["title"] }
  }

  /// From an article of Sherlock Yao: a to-one that becomes a to-many loses its links without a renaming identifier.
  @Test func aToOneThatIsRenamedToAToManyKeepsItsLinks() throws {
    let store = try OtherStore(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books"))
    ) { context throws in
      let ada = try context.add("Person", ["name": "Ada"])
      try context.add("Book", ["title": "A"]).setObject(ada, forKey: "author")
    }
    let newPerson = person(.toMany("books", "Book", inverse: "authors"))
    let lost = try store.forecast(newPerson, book(.toMany("authors", "Person", inverse: "books")))
    #expect(lost.problems.isEmpty)
    try store.open(
      newPerson, book(.toMany("authors", "Person", inverse: "books").was("author"))
    ) { context throws in
      #expect(try context.allByKey("Book")[0].objects(forKey: "authors").count == 1)
      #expect(try titles(context, "books") == ["A"])
    }
  }

  @Test func aToManyBecomesAManyToMany() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books")))
    try store.open(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toMany("author", "Person", inverse: "books"))
    ) { context throws in
      #expect(Set(try titles(context, "books")) == ["A", "B", "C"])
      let eve = try context.allByKey("Person")[1]
      try context.allByKey("Book")[0].setObjects(try context.allByKey("Person"), forKey: "author")
      #expect(eve.objects(forKey: "books").count == 1)
    }
  }

  @Test func aManyToManyWithOneLinkEachBecomesAToOne() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toMany("author", "Person", inverse: "books")))
    try store.open(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books"))
    ) { context throws in #expect(Set(try titles(context, "books")) == ["A", "B", "C"]) }
  }

  @Test func severalLinksForAToOneAreRefusedByName() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toMany("author", "Person", inverse: "books")))
    try store.change(store.model) { context throws in
      try context.allByKey("Person")[1].setObjects(
        [try context.allByKey("Book")[0]], forKey: "books")
    }
    let problems = try store.problems(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books")))
    #expect(problems.map(\.kind) == [.tooManyLinks])
    #expect(problems.first.map { "\($0.entity).\($0.property ?? "")" } == "Book.author")
    #expect(problems.first?.keys == [1])
  }

  @Test func anOrderStaysWhenTheInverseBecomesToMany() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author", isOrdered: true)),
      book(.toOne("author", "Person", inverse: "books")))
    try store.open(
      person(.toMany("books", "Book", inverse: "author", isOrdered: true)),
      book(.toMany("author", "Person", inverse: "books"))
    ) { context throws in #expect(try titles(context, "books") == ["C", "A", "B"]) }
  }

  @Test func anOrderStaysWhenEverythingIsRenamed() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author", isOrdered: true)),
      book(.toOne("author", "Person", inverse: "books")))
    try store.open(
      entity(
        "Human", text("name"),
        links: [
          .toMany("works", "Text", inverse: "writer", isOrdered: true).was("books")
        ]
      ) { $0.renamingIdentifier = "Person" },
      entity(
        "Text", text("title"), links: [.toOne("writer", "Human", inverse: "works").was("author")]
      ) {
        $0.renamingIdentifier = "Book"
      }
    ) { context throws in
      #expect(
        try context.allByKey("Human")[0].objects(forKey: "works").map { $0["title"] } == [
          "C", "A", "B",
        ])
    }
  }

  @Test func anOrderCanComeAndGo() throws {
    let plain = [
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books")),
    ]
    let ordered = [person(.toMany("books", "Book", inverse: "author", isOrdered: true)), plain[1]]
    let store = try library(plain[0], plain[1])
    try store.open(ordered[0], ordered[1]) { context throws in
      #expect(Set(try titles(context, "books")) == ["A", "B", "C"])
      let books = try context.allByKey("Book")
      try context.allByKey("Person")[0].setObjects([books[1], books[2], books[0]], forKey: "books")
    }
    try store.open(
      ordered[0], entity("Book", text("title"), text("x"), links: plain[1].relationships)
    ) { context throws in
      #expect(try titles(context, "books") == ["B", "C", "A"])
    }
    try store.open(plain[0], plain[1], entity("Other", text("x"))) { context throws in
      #expect(Set(try titles(context, "books")) == ["A", "B", "C"])
    }
  }

  @Test func pairsStayWhenANewEntityRenumbersTheirTable() throws {
    let links: [RelationshipDescription] = [
      .toMany("books", "Book", inverse: "readers", isOrdered: true),
      .toMany("friends", "Person", inverse: "friends"),
    ]
    let store = try OtherStore(
      entity("Person", text("name"), links: links),
      book(.toMany("readers", "Person", inverse: "books"))
    ) { context throws in
      let people = try ["Ada", "Eve"].map { try context.add("Person", ["name": .string($0)]) }
      let books = try ["A", "B"].map { try context.add("Book", ["title": .string($0)]) }
      people[0].setObjects([books[1], books[0]], forKey: "books")
      people[1].setObjects([books[1]], forKey: "books")
      people[0].setObjects([people[1]], forKey: "friends")
    }
    try store.open(
      entity("Person", text("name"), links: links),
      book(.toMany("readers", "Person", inverse: "books")), entity("Aardvark", text("x")),
      entity("Cat", text("x"))
    ) { context throws in
      #expect(try titles(context, "books") == ["B", "A"])
      #expect(try titles(context, "books", of: 1) == ["B"])
      #expect(try context.allByKey("Person")[1].objects(forKey: "friends").count == 1)
    }
  }

  @Test func aRemovedDestinationTakesItsLinksAlong() throws {
    let store = try OtherStore(
      entity("Animal", text("name")), entity("Dog") { $0.superentityName = "Animal" },
      entity("Cat") { $0.superentityName = "Animal" },
      entity("Keeper", text("name"), links: [.toOne("pet", "Animal"), .toMany("all", "Animal")])
    ) { context throws in
      let (dog, cat) = (
        try context.add("Dog", ["name": "Rex"]), try context.add("Cat", ["name": "Tom"])
      )
      let keeper = try context.add("Keeper")
      keeper.setObject(cat, forKey: "pet")
      keeper.setObjects([dog, cat], forKey: "all")
    }
    try store.open(
      entity("Animal", text("name")), entity("Dog") { $0.superentityName = "Animal" },
      entity("Keeper", text("name"), links: [.toOne("pet", "Animal"), .toMany("all", "Animal")])
    ) { context throws in
      let keeper = try context.allByKey("Keeper")[0]
      #expect(keeper.object(forKey: "pet") == nil)
      #expect(keeper.objects(forKey: "all").map { $0["name"] } == ["Rex"])
    }
  }

  @Test func linksFollowObjectsWhoseKeysChange() throws {
    let keeper = entity(
      "Keeper", text("name"), links: [.toMany("dogs", "Dog"), .toOne("cat", "Cat")])
    let store = try OtherStore(entity("Dog", text("name")), entity("Cat", text("name")), keeper) {
      context throws in
      let one = try context.add("Keeper", ["name": "Ann"])
      one.setObjects(
        [try context.add("Dog", ["name": "Rex"]), try context.add("Dog", ["name": "Bo"])],
        forKey: "dogs")
      one.setObject(try context.add("Cat", ["name": "Tom"]), forKey: "cat")
    }
    try store.open(
      entity("Animal", text("name")), entity("Dog") { $0.superentityName = "Animal" },
      entity("Cat") { $0.superentityName = "Animal" }, keeper
    ) { context throws in
      let one = try context.allByKey("Keeper")[0]
      #expect(Set(one.objects(forKey: "dogs").map { $0["name"] }) == ["Rex", "Bo"])
      #expect(one.object(forKey: "cat")?["name"] == "Tom")
    }
  }

  @Test func anInverseIsFoundFromTheLinksThatAreThere() throws {
    let store = try library(person(.toMany("books", "Book")), book())
    try store.open(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books"))
    ) { context throws in
      #expect(Set(try titles(context, "books")) == ["A", "B", "C"])
      #expect(
        try context.allByKey("Book").allSatisfy { $0.object(forKey: "author")?["name"] == "Ada" })
    }
  }

  @Test func anInverseCanGo() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author", isOrdered: true)),
      book(.toOne("author", "Person", inverse: "books")))
    try store.open(person(.toMany("books", "Book", isOrdered: true)), book()) { context throws in
      #expect(try titles(context, "books") == ["C", "A", "B"])
    }
  }

  @Test func aCountIsComputedForObjectsThatAreThere() throws {
    let store = try library(
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books")))
    var count = attribute("bookCount", .integer32)
    count.defaultValue = 0
    count.derivationExpression = "books.@count"
    try store.open(
      entity("Person", text("name"), count, links: [.toMany("books", "Book", inverse: "author")]),
      book(.toOne("author", "Person", inverse: "books"))
    ) { context throws in
      #expect(try context.valuesByKey("Person", "bookCount") == [3, 0])
      try context.add("Book").setObject(try context.allByKey("Person")[1], forKey: "author")
      try context.save()
      #expect(try context.valuesByKey("Person", "bookCount") == [3, 1])
    }
  }

  @Test func aRequiredRelationshipIsRefusedUntilEachObjectHasIt() throws {
    let store = try OtherStore(person(), book()) { try $0.add("Book", ["title": "A"]) }
    let newer = [
      person(.toMany("books", "Book", inverse: "author")),
      book(.toOne("author", "Person", inverse: "books", isOptional: false)),
    ]
    let problems = try store.problems(newer[0], newer[1])
    #expect(problems.map(\.kind) == [.missingLink])
    #expect(problems.map(\.property) == ["author"])
    #expect(problems.map(\.keys) == [[1]])
    try store.change(store.model) { context in
      context.delete(try context.allByKey("Book")[0])
    }
    try store.open(newer[0], newer[1]) { context throws in
      let book = try context.add("Book")
      #expect(throws: ValidationError.self) { try context.save() }
      context.delete(book)
    }
  }

  @Test func fewerRelationshipsThanBefore() throws {
    let store = try library(
      person(
        .toMany("books", "Book", inverse: "author"), .toOne("best", "Book"), .toMany("old", "Book")),
      book(.toOne("author", "Person", inverse: "books")))
    try store.open(person(.toOne("best", "Book")), book()) { context throws in
      #expect(try context.allByKey("Book").count == 3)
    }
    #expect(
      try store.texts(
        "SELECT name FROM pragma_table_info('ZBOOK') WHERE name LIKE '%AUTHOR%' OR name LIKE '%OLD%'"
      ) == [])
  }
}
