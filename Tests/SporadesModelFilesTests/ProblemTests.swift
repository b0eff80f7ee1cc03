// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles
import Testing

/// The first element of each file is on line 3.
@Suite struct ProblemTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func namesTheLineOfEveryProblem() {
    #expect(
      folder.problems(
        """
        <entity name="A">
          <attribute name="n" attributeType="Complex"/>
          <attribute name="zone" attributeType="Integer 16"/>
          <relationship name="b" destinationEntity="B"/>
          <attribute name="t" attributeType="String"><spell/></attribute>
        </entity>
        <entity name="a"/>
        """) == [
          "4 malformedFile A.n", "7 malformedFile A.t", "9 duplicateName a",
          "5 reservedName A.zone",
          "6 missingDestination A.b",
        ])
  }

  @Test func refusesUnknownElements() {
    #expect(folder.problems("<planet/>") == ["3 malformedFile"])
    #expect(
      folder.problems(
        #"<entity name="A"><attribute name="b" attributeType="String"><spell/></attribute></entity>"#
      )
        == ["3 malformedFile A.b"])
  }

  @Test func refusesElementsWithoutName() {
    #expect(folder.problems("<entity/>").first == "3 malformedFile")
    #expect(
      folder.problems(#"<entity name="A"><attribute/></entity>"#).first == "3 malformedFile A")
    #expect(folder.problems("<configuration/>") == ["3 malformedFile"])
  }

  @Test func refusesCompositesThatContainThemselves() {
    let problems = folder.problems(
      """
      <entity name="A"><attribute name="c" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="d" attributeType="Composite" composite="D"/></composite>
      <composite name="D"><attribute name="c" attributeType="Composite" composite="C"/></composite>
      """)
    #expect(problems.first == "3 invalidComposite A.c")
  }

  @Test func refusesCompositesThatMultiplyWithoutBound() {
    let composites = (0..<12).map { level in
      let elements = (0..<10).map {
        #"<attribute name="e\#($0)" attributeType="Composite" composite="C\#(level + 1)"/>"#
      }
      return #"<composite name="C\#(level)">\#(elements.joined())</composite>"#
    }
    let problems = folder.problems(
      #"<entity name="A"><attribute name="c" attributeType="Composite" composite="C0"/></entity>"#
        + composites.joined()
        + #"<composite name="C12"><attribute name="x" attributeType="Double"/></composite>"#)
    #expect(problems.contains("3 tooLarge A.c"))
  }

  @Test func refusesCompositesThatTheModelDoesNotHave() {
    #expect(
      folder.problems(
        #"<entity name="A"><attribute name="c" attributeType="Composite" composite="C"/></entity>"#
      )
      .first == "3 invalidComposite A.c")
  }

  @Test func refusesCompositesDeclaredTwice() {
    let composite = #"<composite name="C"><attribute name="x" attributeType="Double"/></composite>"#
    #expect(folder.problems(composite + composite) == ["3 duplicateName"])
  }
}
