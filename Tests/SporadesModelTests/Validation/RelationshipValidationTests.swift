// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct RelationshipValidationTests {
  @Test func reportsMissingDestinations() {
    #expect(
      problems(EntityDescription("A", relationships: [.toOne("b", "B", inverse: "a")]))
        == ["missingDestination A.b"])
  }

  @Test func acceptsRelationshipsWithoutInverse() {
    #expect(problems(EntityDescription("A", relationships: [.toMany("b", "A")])) == [])
  }

  @Test func reportsInversesTheDestinationDoesNotHave() {
    #expect(
      problems(
        EntityDescription("A", relationships: [.toOne("b", "B", inverse: "a")]),
        EntityDescription("B", attributes: [AttributeDescription("a", .string)]))
        == ["missingInverse A.b"])
  }

  @Test func findsInheritedInverses() {
    #expect(
      problems(
        EntityDescription("A", relationships: [.toOne("b", "Low", inverse: "a")]),
        EntityDescription("Top", relationships: [.toMany("a", "A", inverse: "b")]),
        EntityDescription("Low", superentityName: "Top")) == [])
  }

  @Test func reportsInversesThatDoNotPointBack() {
    #expect(
      problems(
        EntityDescription("A", relationships: [.toOne("b", "B", inverse: "a")]),
        EntityDescription("B", relationships: [.toMany("a", "A")])) == ["inverseMismatch A.b"])
    #expect(
      problems(
        EntityDescription(
          "A",
          relationships: [.toOne("b", "B", inverse: "a"), .toOne("c", "B", inverse: "a")]),
        EntityDescription("B", relationships: [.toMany("a", "A", inverse: "b")]))
        == ["inverseMismatch A.c"])
  }

  @Test func reportsInversesThatLeadToAnotherEntity() {
    #expect(
      problems(
        EntityDescription("A", relationships: [.toOne("b", "B", inverse: "a")]),
        EntityDescription("B", relationships: [.toMany("a", "C", inverse: "b")]),
        EntityDescription("C", relationships: [.toOne("b", "B", inverse: "a")]))
        == ["inverseMismatch A.b"])
  }

  @Test func aRelationshipMayBeItsOwnInverse() {
    #expect(
      problems(EntityDescription("A", relationships: [.toMany("friends", "A", inverse: "friends")]))
        == [])
  }

  @Test func reportsCountsThatNoObjectSatisfies() {
    let crossed = RelationshipDescription.toMany("b", "A").with {
      $0.minCount = 5
      $0.maxCount = 3
    }
    #expect(problems(EntityDescription("A", relationships: [crossed])) == ["invalidCount A.b"])
    let unbounded = RelationshipDescription.toMany("b", "A").with { $0.minCount = 5 }
    #expect(problems(EntityDescription("A", relationships: [unbounded])) == [])
  }

  @Test func reportsNegativeMinimumsAndHugeCounts() {
    for (minimum, maximum) in [(-1, 0), (0, 1 << 31)] {
      let relationship = RelationshipDescription.toMany("b", "A").with {
        $0.minCount = minimum
        $0.maxCount = maximum
      }
      #expect(
        problems(EntityDescription("A", relationships: [relationship])) == ["invalidCount A.b"])
    }
  }

  @Test func aNegativeMaximumIsNoBound() {
    let relationship = RelationshipDescription.toMany("b", "A").with { $0.maxCount = -1 }
    #expect(problems(EntityDescription("A", relationships: [relationship])) == [])
    #expect(relationship.isToMany)
  }
}
