// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// The reader accepts files that Xcode accepts. It warns of mistakes, and no mistake changes a version hash.
/// The first element of each file is on line 3.
@Suite struct WarningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ elements: String) throws -> ModelReading {
    try ModelFile.read(folder.write(TemporaryFolder.text(elements), to: "contents"))
  }

  private func warnings(_ reading: ModelReading) -> [String] {
    reading.warnings.map { warning in
      let place = [warning.entity, warning.property].compactMap(\.self).joined(separator: ".")
      return "\(warning.location?.line ?? 0) \(warning.code.rawValue) \(place)"
    }
  }

  @Test(arguments: [
    (#"attributeType="Integer 16" defaultValueString="NO""#, Value.integer(0)),
    (#"attributeType="Integer 64" defaultValueString="12px""#, .integer(12)),
    (#"attributeType="Integer 64" defaultValueString=" -1,5""#, .integer(-1)),
    (#"attributeType="Integer 32" defaultValueString="99999999999""#, .null),
    (#"attributeType="Integer 64" defaultValueString="99999999999999999999""#, .integer(.max)),
    (#"attributeType="Boolean" defaultValueString="0.0""#, .boolean(false)),
    (#"attributeType="Boolean" defaultValueString="1.0""#, .boolean(true)),
    (#"attributeType="Boolean" defaultValueString="maybe""#, .boolean(false)),
    (#"attributeType="Double" defaultValueString="1,5""#, .double(1)),
    (#"attributeType="Float" defaultValueString="nan""#, .double(0)),
    (#"attributeType="Decimal" defaultValueString="2,5""#, .decimal(2)),
    (#"attributeType="Decimal" defaultValueString="free""#, .null),
    (#"attributeType="UUID" defaultValueString="empy""#, .null),
    (#"attributeType="URI" defaultValueString="http://[""#, .null),
    (#"attributeType="Date" defaultDateTimeInterval="today""#, .null),
    (#"attributeType="Date" defaultValueString="today""#, .null),
    (#"attributeType="Binary" defaultValueString="00""#, .null),
    (#"attributeType="Transformable" defaultValueString="x""#, .null),
  ])
  func invalidDefaultsAreReadAsXcodesToolsReadThem(attributes: String, expected: Value) throws {
    let invalid = try read(#"<entity name="A"><attribute name="a" \#(attributes)/></entity>"#)
    #expect(invalid.model.entities[0].attributes[0].defaultValue == expected)
    #expect(warnings(invalid) == ["3 invalidDefault A.a"])
    let type = attributes.prefix { $0 != "=" } + attributes.dropFirst(13).prefix { $0 != "d" }
    let plain = try read(#"<entity name="A"><attribute name="a" \#(type)/></entity>"#)
    #expect(plain.warnings.isEmpty)
    #expect(plain.model.entityVersionHashesByName == invalid.model.entityVersionHashesByName)
  }

  @Test(arguments: [
    #"attributeType="Integer 16" minValueString="x""#,
    #"attributeType="Integer 16" minValueString="9" maxValueString="3""#,
    #"attributeType="String" maxValueString="long""#,
    #"attributeType="String" minValueString="-4""#,
    #"attributeType="Date" minDateTimeInterval="soon""#,
    #"attributeType="Integer 16" maxValueString="99999""#,
  ])
  func invalidBoundsAreLeftOut(attributes: String) throws {
    let invalid = try read(#"<entity name="A"><attribute name="a" \#(attributes)/></entity>"#)
    #expect(invalid.model.entities[0].attributes[0].validation.isEmpty)
    #expect(warnings(invalid) == ["3 invalidBounds A.a"])
  }

  @Test func invalidIndexesAreLeftOut() throws {
    let invalid = try read(
      """
      <entity name="A">
        <attribute name="n" attributeType="String"/>
        <attribute name="t" transient="YES" attributeType="String"/>
        <relationship name="bs" optional="YES" toMany="YES" destinationEntity="A"/>
        <fetchIndex name="many"><fetchIndexElement property="bs" type="Binary"/></fetchIndex>
        <fetchIndex name="t"><fetchIndexElement property="t" type="Binary"/></fetchIndex>
        <fetchIndex name="gone"><fetchIndexElement property="x" type="Binary"/></fetchIndex>
        <fetchIndex name="none"/>
        <fetchIndex><fetchIndexElement property="n"/></fetchIndex>
        <fetchIndex name="half"><fetchIndexElement type="Binary"/></fetchIndex>
        <fetchIndex name="n" partialIndexPredicate="n =="><fetchIndexElement property="n"/></fetchIndex>
        <fetchIndex name="n"><fetchIndexElement property="n" order="descending"/></fetchIndex>
      </entity>
      """)
    #expect(invalid.model.entities[0].indexes == [FetchIndexDescription("n", on: "n")])
    #expect(invalid.warnings.count == 8)
    #expect(invalid.warnings.allSatisfy { $0.entity == "A" && $0.location != nil })
  }

  @Test func aNegativeMaximumCountsInTheHashAndIsNoBound() throws {
    func file(_ maximum: Int) -> String {
      #"<entity name="A"><relationship name="bs" toMany="YES" maxCount="\#(maximum)" "#
        + #"destinationEntity="A"/></entity>"#
    }
    let (invalid, plain) = try (read(file(-1)), read(file(0)))
    #expect(invalid.model.entities[0].relationships[0].maxCount == -1)
    #expect(invalid.model.shape(named: "A")?.relationships[0].isToMany == true)
    #expect(invalid.model.entityVersionHashesByName != plain.model.entityVersionHashesByName)
    #expect(warnings(invalid) == ["3 invalidCount A.bs"])
  }

  @Test func requestsThatCannotBeReadAreLeftOut() throws {
    let invalid = try read(
      """
      <entity name="A">
        <fetchedProperty name="f"><fetchRequest name="f" entity="A" predicateString="n =="/></fetchedProperty>
        <fetchedProperty name="g"/>
        <fetchedProperty name="h"><fetchRequest name="h" entity="Gone"/></fetchedProperty>
      </entity>
      <fetchRequest name="broken" entity="A" predicateString="n == "/>
      <fetchRequest name="lost" entity="Gone"/>
      <fetchRequest name="empty"/>
      <fetchRequest name="negative" entity="A" fetchLimit="-1"/>
      <fetchRequest name="twice" entity="A"/>
      <fetchRequest name="twice" entity="A" fetchLimit="3"/>
      <fetchRequest name="invalid" entity="A" resultType="9" returnObjectsAsFaults="perhaps"
        fetchLimit="few"/>
      """)
    #expect(invalid.model.entities[0].fetchedProperties.isEmpty)
    #expect(Set(invalid.model.fetchRequestTemplates.keys) == ["twice", "invalid"])
    #expect(invalid.model.fetchRequestTemplates["twice"]?.fetchLimit == nil)
    #expect(invalid.warnings.count == 11)
  }

  @Test func configurationsLeaveOutUnknownEntities() throws {
    let invalid = try read(
      """
      <entity name="A"/><entity name="B"/>
      <configuration name="c"><memberEntity name="A"/><memberEntity name="Gone"/></configuration>
      <configuration name="c"><memberEntity name="B"/><mystery/></configuration>
      """)
    #expect(invalid.model.configurations == ["c": ["A", "B"]])
    #expect(invalid.warnings.map(\.code) == [.malformedFile, .duplicateName, .unknownEntity])
  }

  @Test func unansweredInversesCountInTheHashAlone() throws {
    let invalid = try read(
      """
      <entity name="A">
        <relationship name="b" maxCount="1" destinationEntity="B" inverseName="none"/>
        <relationship name="c" maxCount="1" destinationEntity="B" inverseName="a"/>
      </entity>
      <entity name="B"><relationship name="a" maxCount="1" destinationEntity="A"/></entity>
      """)
    let all = invalid.model.entities[0].relationships
    #expect(all.map(\.inverseName) == [nil, nil])
    #expect(all.map(\.unansweredInverseName) == ["none", "a"])
    #expect(warnings(invalid) == ["4 missingInverse A.b", "5 inverseMismatch A.c"])
  }

  @Test func invalidFlagsAndCountsAreReadAsXcodesToolsReadThem() throws {
    let invalid = try read(
      """
      <entity name="A" isAbstract="Yep">
        <attribute name="a" optional="nope" attributeType="String" hashValue="x"/>
        <attribute name="hashValue" optional="YES" attributeType="String"/>
        <relationship name="bs" toMany="TRUE" minCount="1x" deletionRule="Vanish" destinationEntity="A"/>
        <userInfo><entry key="k" value="v"/><strange/></userInfo>
        <uniquenessConstraints><uniquenessConstraint/></uniquenessConstraints>
      </entity>
      """)
    let entity = invalid.model.entities[0]
    #expect(entity.isAbstract)
    #expect(!entity.attributes[0].isOptional)
    #expect(entity.relationships[0].minCount == 1)
    #expect(entity.relationships[0].deleteRule == .nullify)
    #expect(entity.uniquenessConstraints.isEmpty)
    #expect(invalid.warnings.count == 6)
  }

  @Test func aConstraintOnValuesThatMayLieInFilesIsNotEnforcedAndStaysInTheHash() throws {
    func reading(external: String) throws -> ModelReading {
      try read(
        """
        <entity name="A">
          <attribute name="a" attributeType="Binary" allowsExternalBinaryDataStorage="\(external)"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        """)
    }
    let large = try reading(external: "YES")
    #expect(warnings(large) == ["4 misplacedOption A.a"])
    var entity = large.model.entities[0]
    #expect(entity.uniquenessConstraints.isEmpty)
    #expect(entity.unenforcedConstraints == [["a"]])
    let hashes = large.model.entityVersionHashesByName
    entity.unenforcedConstraints = []
    #expect(try ManagedObjectModel(entities: [entity]).entityVersionHashesByName != hashes)
    #expect(try reading(external: "NO").warnings.isEmpty)
  }

  @Test func aSoundModelHasNoWarnings() throws {
    let sound = try read(
      #"<entity name="A"><attribute name="a" optional="YES" attributeType="Integer 16" "#
        + #"defaultValueString="3"/></entity>"#)
    #expect(sound.warnings.isEmpty)
  }
}
