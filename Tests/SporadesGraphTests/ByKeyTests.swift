// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// What objects tell and take by the names of their properties.
@Suite struct ByKeyTests {
  @Test(arguments: StoreKind.allCases)
  func membersAreAddedAndTakenOutByKey(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      let (rex, bella) = (Dog.create(in: context), Dog.create(in: context))
      ann.add(rex, to: "dogs")
      ann.add(bella, to: "dogs")
      ann.add(rex, to: "dogs")
      #expect(ann.dogs == [rex, bella])
      #expect(rex.owner === ann)
      try context.save()
      ann.remove(rex, from: "dogs")
      #expect(ann.dogs == [bella])
      #expect(rex.owner == nil)
      let books = Book.make("ab", in: context)
      for book in books { ann.add(book, to: "reads") }
      try context.save()
      context.reset()
      let again = try #require(try Person.first(in: context))
      #expect(again.dogs.count == 1)
      #expect(again.reads.titles == "ab")
      #expect(try Dog.count(where: \.owner == again, in: context) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func anObjectKnowsItsEntity(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      Member.make("Ann", in: context).number = 1
      try context.save()
      context.reset()
      let ann = try #require(try Person.first(in: context))
      #expect(ann.entity.name == "Member")
      #expect(ann.entity.superentityName == "Person")
      #expect(ann.objectID.entityName == "Member")
    }
  }
}
