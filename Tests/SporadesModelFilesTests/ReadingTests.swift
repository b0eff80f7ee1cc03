// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

@Suite struct ReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func attribute(_ xml: String) throws -> AttributeDescription {
    let model = try folder.model(#"<entity name="A">\#(xml)</entity>"#)
    return try #require(model.entities.first?.attributes.first)
  }

  @Test func readsEntities() throws {
    let model = try folder.model(
      """
      <entity name="Base" representedClassName=".BaseMO" isAbstract="YES" syncable="YES"/>
      <entity name="Pet" representedClassName="Zoo.Pet" parentEntity="Base" elementID="Animal"
        versionHashModifier="2" codeGenerationType="class" somethingNew="1">
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <entity name="Plain" representedClassName="NSManagedObject"/>
      <elements><element name="Pet" positionX="0" positionY="0" width="1" height="1"/></elements>
      """, attributes: #"userDefinedModelVersionIdentifier="7""#)
    #expect(model.versionIdentifiers == ["7"])
    let base = try #require(model.entitiesByName["Base"])
    #expect(base.isAbstract)
    #expect(base.managedObjectClassName == "BaseMO")
    let pet = try #require(model.entitiesByName["Pet"])
    #expect(pet.managedObjectClassName == "Zoo.Pet")
    #expect(pet.superentityName == "Base")
    #expect(pet.renamingIdentifier == "Animal")
    #expect(pet.versionHashModifier == "2")
    #expect(pet.userInfo == ["k": "v"])
    #expect(model.entitiesByName["Plain"]?.managedObjectClassName == nil)
  }

  @Test(
    arguments: [
      (#"attributeType="Integer 16" defaultValueString="0.0""#, Value.integer(0)),
      (#"attributeType="Integer 64" defaultValueString="-5""#, .integer(-5)),
      (#"attributeType="Double" defaultValueString="1""#, .double(1)),
      (#"attributeType="Decimal" defaultValueString="1.10""#, .decimal(Decimal(11) / 10)),
      (#"attributeType="Boolean" defaultValueString="YES""#, .boolean(true)),
      (#"attributeType="String" defaultValueString="""#, .string("")),
      (#"attributeType="String" defaultValueString="a&amp;&quot;b&#10;é""#, .string("a&\"b\né")),
      (
        #"attributeType="Date" defaultDateTimeInterval="60""#,
        .date(Date(timeIntervalSinceReferenceDate: 60))
      ),
      (#"attributeType="Transformable""#, .null), (#"attributeType="UUID" optional="YES""#, .null),
      (#"attributeType="Integer 32" defaultValueString="""#, .null),
    ])
  func readsDefaultsByType(attributes: String, expected: Value) throws {
    #expect(try attribute("<attribute name=\"a\" \(attributes)/>").defaultValue == expected)
  }

  @Test func readsTheOptionsOfAttributes() throws {
    let read = try attribute(
      """
      <attribute name="a" optional="YES" attributeType="Transformable" valueTransformerName="T"
        customClassName="Color" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"
        spotlightIndexingEnabled="YES" allowsCloudEncryption="YES" elementID="old"
        versionHashModifier="m" syncable="YES" usesScalarValueType="NO" storedInTruthFile="YES"/>
      """)
    #expect(read.type == .transformable)
    #expect(read.isOptional)
    #expect(!read.isTransient)
    #expect(read.allowsExternalBinaryDataStorage)
    #expect(read.preservesValueInHistoryOnDeletion)
    #expect(read.isIndexedBySpotlight)
    #expect(read.valueTransformerName == "T")
    #expect(read.attributeValueClassName == "Color")
    #expect(read.renamingIdentifier == "old")
    #expect(read.versionHashModifier == "m")
    #expect(try attribute(#"<attribute name="t" transient="YES"/>"#).type == .undefined)
  }

  @Test func readsBounds() throws {
    let number = try attribute(
      #"<attribute name="a" attributeType="Double" minValueString="1" maxValueString="5"/>"#)
    #expect(number.validation.minimum == .double(1))
    #expect(number.validation.maximum == .double(5))
    let text = try attribute(
      """
      <attribute name="a" attributeType="String" minValueString="2" maxValueString="9"
        regularExpressionString="[a-z]+"/>
      """)
    #expect(text.validation.minimumLength == 2)
    #expect(text.validation.maximumLength == 9)
    #expect(text.validation.pattern == "[a-z]+")
    let date = try attribute(
      #"<attribute name="a" attributeType="Date" minDateTimeInterval="0" maxDateTimeInterval="9"/>"#
    )
    #expect(date.validation.minimum == .date(Date(timeIntervalSinceReferenceDate: 0)))
    #expect(date.validation.maximum == .date(Date(timeIntervalSinceReferenceDate: 9)))
  }

  @Test func readsRelationships() throws {
    let model = try folder.model(
      """
      <entity name="A">
        <relationship name="bs" optional="YES" toMany="YES" ordered="YES" minCount="1" maxCount="9"
          deletionRule="Cascade" destinationEntity="A" inverseName="b" inverseEntity="A"/>
        <relationship name="b" maxCount="1" deletionRule="Deny" destinationEntity="A"
          inverseName="bs" inverseEntity="A" elementID="old"/>
        <relationship name="c" toMany="YES" deletionRule="No Action" destinationEntity="A"/>
      </entity>
      """)
    let all = model.entities[0].relationships
    #expect(all.map(\.isToMany) == [true, false, true])
    #expect(all.map(\.isOptional) == [true, false, false])
    #expect(all.map(\.isOrdered) == [true, false, false])
    #expect(all.map(\.minCount) == [1, 0, 0])
    #expect(all.map(\.maxCount) == [9, 1, 0])
    #expect(all.map(\.deleteRule) == [.cascade, .deny, .noAction])
    #expect(all.map(\.inverseName) == ["b", "bs", nil])
    #expect(all[1].renamingIdentifier == "old")
  }

  @Test func readsIndexesOfAllToolVersions() throws {
    let model = try folder.model(
      """
      <entity name="A">
        <attribute name="a" attributeType="String" indexed="YES"/>
        <attribute name="b" attributeType="Double" indexed="NO"/>
        <fetchIndex name="byB">
          <fetchIndexElement property="b" type="RTree" order="descending"/>
          <fetchIndexElement expression="lowercase:(a)" type="Binary" order="ascending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex>
        </compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="a"/>
          <constraint value="b"/></uniquenessConstraint></uniquenessConstraints>
      </entity>
      """)
    let entity = model.entities[0]
    #expect(entity.indexes.map(\.name) == ["a", "byB", "a_b"])
    #expect(
      entity.indexes[1].elements == [
        .init("b", isAscending: false, collation: .rTree), .init("lowercase:(a)"),
      ])
    #expect(entity.indexes[2].elements.map(\.property) == ["a", "b"])
    #expect(entity.uniquenessConstraints == [["a", "b"]])
  }

  @Test func readsDerivedAttributesAndNestedComposites() throws {
    let model = try folder.model(
      """
      <entity name="A">
        <attribute name="d" attributeType="String" derived="YES" derivationExpression="name"/>
        <attribute name="name" attributeType="String"/>
        <attribute name="place" attributeType="Composite" composite="Place"/>
      </entity>
      <composite name="Place"><attribute name="p" attributeType="Composite" composite="Point"/>
      </composite>
      <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
      """)
    let attributes = model.entities[0].attributes
    #expect(attributes[0].derivationExpression == "name")
    #expect(attributes[2].elements.map(\.name) == ["p"])
    #expect(attributes[2].elements[0].elements.map(\.name) == ["x"])
  }

  @Test func readsRequestsAndConfigurations() throws {
    let model = try folder.model(
      """
      <entity name="A"><attribute name="n" attributeType="Integer 16"/>
        <fetchedProperty name="f" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="A"
            predicateString="n == $FETCH_SOURCE"/>
        </fetchedProperty>
      </entity>
      <fetchRequest name="big" entity="A" predicateString="n &gt; $least" fetchLimit="5"
        fetchBatchSize="20" includeSubentities="NO" includePropertyValues="NO"
        includesPendingChanges="NO" returnObjectsAsFaults="NO" returnDistinctResults="YES"
        resultType="1"/>
      <configuration name="Local" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
      """)
    let big = try #require(model.fetchRequestTemplates["big"])
    let predicate = try FetchPredicate(format: "n > $least")
    #expect(big.predicate == predicate)
    #expect(big.fetchLimit == 5)
    #expect(big.fetchBatchSize == 20)
    #expect(!big.includesSubentities)
    #expect(!big.includesPropertyValues)
    #expect(!big.includesPendingChanges)
    #expect(!big.returnsObjectsAsFaults)
    #expect(big.returnsDistinctResults)
    #expect(big.resultType == .managedObjectID)
    #expect(model.entities[0].fetchedProperties.map(\.name) == ["f"])
    #expect(model.entities[0].fetchedProperties[0].request.predicate != nil)
    #expect(model.configurations == ["Local": ["A"]])
    #expect(model.entities(inConfiguration: "Local")?.map(\.name) == ["A"])
    #expect(model.entities(inConfiguration: "Other") == nil)
  }
}
