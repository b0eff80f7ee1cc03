// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The names and types that mogenerator's own tests expect, of a model like theirs. `Scripts/check-generated` compiles
/// and runs such classes.
@Suite struct MogeneratorModelTests {
  private func generate(_ words: String...) throws -> GenerateSample {
    let sample = try GenerateSample(Self.model)
    let run = try CommandRun(
      ["generate", sample.model, "--output", sample.output] + words, in: sample.work.url)
    #expect(run.status == 0, "\(run.errors)")
    return sample
  }

  private func expect(_ lines: [String], in text: String) {
    for line in lines { #expect(text.contains("\n\(line)\n"), "\(line) in \(text)") }
  }

  @Test func everyKindOfAttributeHasItsType() throws {
    let text = try generate().text("_ParentMO.swift")
    expect(
      [
        "@Entity(\"Parent\") nonisolated final class ParentMO: HumanMO {",
        "  var myBinaryData: Data?", "  var myBoolean: Bool?", "  var myDate: Date?",
        "  var myDecimal: Decimal?", "  var myDouble: Double?", "  var myFloat: Float?",
        "  var myID: UUID?", "  var myInt16: Int16?", "  @Transient var myInt16Transient: Int16?",
        "  var myInt32: Int32?", "  var myInt64: Int64?", "  var myPlace: URL?",
        "  var myString: String?", "  var myTransformable: TransformedBytes?",
      ], in: text)
    let managed = try generate("--form", "managed").text("ParentMO+CoreDataProperties.swift")
    expect(
      [
        "  @NSManaged public var myBinaryData: Data?",
        "  @NSManaged public var myBoolean: NSNumber?", "  @NSManaged public var myDate: Date?",
        "  @NSManaged public var myDecimal: NSDecimalNumber?",
        "  @NSManaged public var myDouble: NSNumber?", "  @NSManaged public var myFloat: NSNumber?",
        "  @NSManaged public var myID: UUID?", "  @NSManaged public var myInt16: NSNumber?",
        "  @NSManaged public var myInt32: NSNumber?", "  @NSManaged public var myInt64: NSNumber?",
        "  @NSManaged public var myPlace: URL?", "  @NSManaged public var myString: String?",
        "  @NSManaged public var myTransformable: NSObject?",
      ], in: managed)
  }

  @Test func relationshipsOfManyKeepTheirOrder() throws {
    expect(
      [
        "  @Relationship(deleteRule: .cascade, inverse: nil) var children: Set<ChildMO>",
        "  @Relationship(deleteRule: .cascade, inverse: \"parent\") var orderedChildren: [ChildMO]",
      ], in: try generate().text("_ParentMO.swift"))
    expect(
      [
        "  @NSManaged public var children: NSSet?",
        "  @NSManaged public var orderedChildren: NSOrderedSet?",
        "  @NSManaged public func addToChildren(_ value: ChildMO)",
        "  @NSManaged public func insertIntoOrderedChildren(_ value: ChildMO, at idx: Int)",
      ], in: try generate("--form", "managed").text("ParentMO+CoreDataProperties.swift"))
  }

  @Test func anAbstractParentGivesItsClassAndItsNotes() throws {
    let sample = try generate()
    expect(
      [
        "  @Attribute(.minimum(0), .userInfo([\"mogenerator.readonly\": \"true\"])) private(set) var age: Int16 = 0",
        "  @Attribute(.userInfo([\"attributeValueScalarType\": \"Gender\"])) var gender: Gender = Gender(rawValue: 0)!",
        "  var `where`: String?", "  var `default`: Bool = true",
        "  enum UserInfoKey: String, CaseIterable, Sendable {",
        "    case key_with_dots___ = \"key with.dots...\"", "    case `where`",
        "    case `default`",
      ], in: try sample.text("_HumanMO.swift"))
    #expect(
      try sample.text("_HumanMO.swift").contains(
        "@Entity(\"Human\", isAbstract: true, userInfo: [\"key with.dots...\": \"value with \\\"quotes\\\"\"]) "
          + "nonisolated class HumanMO: ManagedObject {\n"))
    // The class of an ignored entity is its author's.
    #expect(try sample.names.allSatisfy { !$0.contains("Uncle") })
  }

  @Test func classesWithoutANameGetNoManagedFile() throws {
    let managed = try generate("--form", "managed")
    #expect(try managed.names.allSatisfy { !$0.contains("Sans") })
    // An entity between, which has no class of its own, does not stop the inheritance.
    #expect(
      try managed.text("Concrete+CoreDataClass.swift").contains(
        "public class Concrete: NSManagedObject {}\n"))
    expect(
      ["@Entity nonisolated final class Concrete: SansClass {}"],
      in: try generate().text("_Concrete.swift"))
  }

  @Test func requestsAreFunctionsWithTypedVariables() throws {
    let sample = try generate()
    expect(
      [
        "  static func fetchAllHumans(in context: some FinderContext) throws -> [HumanMO] {",
        "  static func fetchByHumanName(in context: some FinderContext, humanName: String) throws -> [HumanMO] {",
        "  static func fetchOneByHumanName(in context: some FinderContext, humanName: String) throws -> HumanMO? {",
      ], in: try sample.text("_HumanMO.swift"))
    expect(
      [
        "  static func fetchByParent(in context: some FinderContext, parent: ParentMO) throws -> [ChildMO] {",
        "  static func fetchByParentName(in context: some FinderContext, parentName: String) throws -> [ChildMO] {",
        "  static func fetchOlder(in context: some FinderContext, ids: [UUID], `in`: Int16) throws -> [ChildMO] {",
      ], in: try sample.text("_ChildMO.swift"))
  }

  @Test(arguments: ["entity", "managed"])
  func severalObjectsOfOneAreReported(_ form: String) throws {
    let sample = try generate("--form", form)
    let file = form == "entity" ? "_HumanMO.swift" : "HumanMO+CoreDataProperties.swift"
    let text = try sample.text(file)
    let warning =
      "    if objects.count > 1 { FileHandle.standardError.write(Data(\"HumanMO.fetchOneByHumanName: 0 or 1 objects "
      + "expected, several found\\n\".utf8)) }"
    expect(["    request.fetchLimit = 2", warning], in: text)
    // A template that asks for one object itself finds no second one.
    expect(["    request.fetchLimit = 1"], in: text)
    #expect(!text.contains("fetchOneOldest: "))
  }

  // MARK: - Options

  @Test func idsHaveTypes() throws {
    expect(
      [
        "nonisolated struct ChildMOID: Hashable, Sendable {", "  let objectID: ManagedObjectID",
        "  init(_ object: ChildMO) { objectID = object.objectID }",
        "  func object(in context: some FinderContext) throws -> ChildMO? {",
      ], in: try generate("--typed-ids").text("_ChildMO.swift"))
    expect(
      [
        "public struct ChildMOID: Hashable, Sendable {",
        "  public let objectID: NSManagedObjectID",
        "    try context.existingObject(with: objectID) as? ChildMO",
      ],
      in: try generate("--typed-ids", "--form", "managed").text("ChildMO+CoreDataProperties.swift"))
    #expect(try !generate().text("_ChildMO.swift").contains("ChildMOID"))
  }

  @Test func aTypeOfIDsHasANameOfItsOwn() throws {
    let sample = try GenerateSample(
      "<entity name=\"A\" representedClassName=\"A\"/><entity name=\"AID\" representedClassName=\"AID\"/>"
    )
    #expect(try sample.generateFiles("--typed-ids").status == 0)
    #expect(try sample.text("_A.swift").contains("nonisolated struct AID_: Hashable"))
    #expect(try sample.text("_AID.swift").contains("nonisolated struct AIDID: Hashable"))
    // The struct of a composite attribute has the name, too.
    try sample.write(
      """
      <entity name="B"><attribute name="iD" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="x" optional="YES" attributeType="Float"/></composite>
      """)
    #expect(try sample.generateFiles("--typed-ids").status == 0)
    #expect(try sample.text("_B.swift").contains("nonisolated struct BID_: Hashable"))
  }

  @Test func publicClassesAreForOtherModules() throws {
    let sample = try generate("--public")
    let human = try sample.text("_HumanMO.swift")
    // No public declaration there needs Foundation.
    #expect(human.contains("\nimport Foundation\npublic import Sporades\n"))
    expect(
      [
        "  public var humanName: String?",
        "  public enum AttributeKey: String, CaseIterable, Sendable {",
        "  public static func fetchAllHumans(in context: some FinderContext) throws -> [HumanMO] {",
      ], in: human)
    #expect(human.contains("public private(set) var age: Int16 = 0\n"))
    #expect(human.contains(") public nonisolated class HumanMO: ManagedObject {\n"))
    #expect(
      try sample.text("_ParentMO.swift").contains("\npublic import Foundation\npublic import Spo"))
    // A parameter has a type of Foundation.
    #expect(try sample.text("_ChildMO.swift").contains("\npublic import Foundation\n"))
    expect(
      [
        "public nonisolated enum Shop {", "  public static let classes: [ManagedObject.Type] = [",
        "  public static func makeModel() throws -> ManagedObjectModel {",
      ], in: try sample.text("_Shop.swift"))
  }

  @Test func publicCompositesHaveAnInitialiser() throws {
    let sample = try GenerateSample(
      """
      <entity name="A" representedClassName="A">
        <attribute name="place" optional="YES" attributeType="Composite" composite="Point"/>
      </entity>
      <composite name="Point">
        <attribute name="in" optional="YES" attributeType="Date"/>
        <attribute name="x" attributeType="Double" defaultValueString="0"/>
      </composite>
      """)
    let run = try sample.generateFiles("--public")
    #expect(run.status == 0, "\(run.errors)")
    let text = try sample.text("_Shop.swift")
    #expect(
      text.contains(
        """
        public import Foundation
        public import Sporades

        @Composite public nonisolated struct APlace: Sendable {
          public var `in`: Date?
          public var x: Double = 0.0

          public init(`in`: Date? = nil, x: Double) {
            self.`in` = `in`
            self.x = x
          }
        }

        """), "\(text)")
  }

  @Test func aModelWithoutEntitiesIsEmpty() throws {
    let sample = try GenerateSample("")
    #expect(try sample.generateFiles().status == 0)
    #expect(try sample.names == ["_Shop.swift"])
    #expect(try sample.text("_Shop.swift").contains("    try ManagedObjectModel(entities: [])\n"))
  }

  // MARK: - The model

  private static let model = """
    <entity name="Human" representedClassName="HumanMO" isAbstract="YES">
      <attribute name="age" attributeType="Integer 16" minValueString="0" defaultValueString="0">
        <userInfo><entry key="mogenerator.readonly" value="true"/></userInfo>
      </attribute>
      <attribute name="where" optional="YES" attributeType="String"/>
      <attribute name="default" attributeType="Boolean" defaultValueString="YES"/>
      <attribute name="gender" attributeType="Integer 16" defaultValueString="0">
        <userInfo><entry key="attributeValueScalarType" value="Gender"/></userInfo>
      </attribute>
      <attribute name="humanName" optional="YES" attributeType="String"/>
      <userInfo><entry key="key with.dots..." value="value with &quot;quotes&quot;"/></userInfo>
    </entity>
    <entity name="Parent" representedClassName="ParentMO" parentEntity="Human">
      <attribute name="myBinaryData" optional="YES" attributeType="Binary"/>
      <attribute name="myBoolean" optional="YES" attributeType="Boolean"/>
      <attribute name="myDate" optional="YES" attributeType="Date"/>
      <attribute name="myDecimal" optional="YES" attributeType="Decimal"/>
      <attribute name="myDouble" optional="YES" attributeType="Double"/>
      <attribute name="myFloat" optional="YES" attributeType="Float"/>
      <attribute name="myID" optional="YES" attributeType="UUID"/>
      <attribute name="myInt16" optional="YES" attributeType="Integer 16"/>
      <attribute name="myInt32" optional="YES" attributeType="Integer 32"/>
      <attribute name="myInt64" optional="YES" attributeType="Integer 64"/>
      <attribute name="myPlace" optional="YES" attributeType="URI"/>
      <attribute name="myString" optional="YES" attributeType="String"/>
      <attribute name="myTransformable" optional="YES" attributeType="Transformable"/>
      <attribute name="myInt16Transient" optional="YES" transient="YES" attributeType="Integer 16"/>
      <attribute name="parentName" optional="YES" attributeType="String"/>
      <relationship name="children" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Child"/>
      <relationship name="orderedChildren" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" destinationEntity="Child" inverseName="parent" inverseEntity="Child"/>
    </entity>
    <entity name="Child" representedClassName="ChildMO" parentEntity="Human">
      <attribute name="id" attributeType="UUID" optional="YES"/>
      <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Parent" inverseName="orderedChildren" inverseEntity="Parent"/>
    </entity>
    <entity name="Uncle" representedClassName="UncleMO" parentEntity="Human">
      <userInfo><entry key="mogenerator.ignore" value="value"/></userInfo>
    </entity>
    <entity name="SansClass" representedClassName="NSManagedObject"/>
    <entity name="Concrete" representedClassName="Concrete" parentEntity="SansClass"/>
    <fetchRequest name="allHumans" entity="Human"/>
    <fetchRequest name="byHumanName" entity="Human" predicateString="humanName == $humanName"/>
    <fetchRequest name="byParent" entity="Child" predicateString="parent == $parent"/>
    <fetchRequest name="byParentName" entity="Child" predicateString="parent.parentName == $parentName"/>
    <fetchRequest name="older" entity="Child" predicateString="age &gt; $in AND id IN $ids"/>
    <fetchRequest name="oneByHumanName" entity="Human" predicateString="humanName == $humanName"/>
    <fetchRequest name="oneOldest" entity="Human" predicateString="age &gt; 99" fetchLimit="1"/>
    """
}
