// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The texts that `generate` writes.
@Suite struct GenerateTextTests {
  @Test func managedClassesAreThoseOfXcode() throws {
    let sample = try GenerateSample()
    let run = try sample.generateFiles("--form", "managed")
    #expect(run.status == 0)
    #expect(
      try sample.text("Customer+CoreDataClass.swift") == """
        import CoreData
        import Foundation

        #if canImport(ObjectiveC)
        @objc(Customer)
        #endif
        public class Customer: NSManagedObject {}

        """)
    let text = try sample.body("Customer+CoreDataProperties.swift")
    for line in [
      "  @nonobjc public class func fetchRequest() -> NSFetchRequest<Customer> {",
      "    NSFetchRequest<Customer>(entityName: \"Customer\")",
      "  @NSManaged public var age: Int16", "  @NSManaged public var name: String?",
      "  @NSManaged public var rank: NSNumber?", "  @NSManaged public var orders: NSSet?",
      "  @objc(addOrdersObject:)",
      "  @NSManaged public func addToOrders(_ value: NSManagedObject)",
      "  @NSManaged public func removeFromOrders(_ values: NSSet)",
      "  public enum AttributeKey: String, CaseIterable, Sendable {",
      "  public class func fetchOneNamed(in context: NSManagedObjectContext, names: [String]) throws -> Customer? {",
      "extension Customer: Identifiable {}",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
    }
  }

  @Test func anOrderedRelationshipHasItsAccessors() throws {
    let sample = try GenerateSample(
      """
      <entity name="A" representedClassName=".A">
        <relationship name="bs" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="B"/>
      </entity>
      <entity name="B" representedClassName=".B" parentEntity="A"/>
      """)
    _ = try sample.generateFiles("--form", "managed", "--base-class", "Base")
    let text = try sample.text("A+CoreDataProperties.swift")
    for name in [
      "insertIntoBs(_ value: B, at idx: Int)", "removeFromBs(at idx: Int)",
      "insertIntoBs(_ values: [B], at indexes: NSIndexSet)",
      "removeFromBs(at indexes: NSIndexSet)", "replaceBs(at idx: Int, with value: B)",
      "replaceBs(at indexes: NSIndexSet, with values: [B])", "addToBs(_ value: B)",
      "removeFromBs(_ value: B)", "addToBs(_ values: NSOrderedSet)",
      "removeFromBs(_ values: NSOrderedSet)",
    ] {
      #expect(text.contains("  @NSManaged public func \(name)\n"), "\(name)")
    }
    #expect(try sample.text("A+CoreDataClass.swift").contains("public class A: Base {}"))
    #expect(try sample.text("B+CoreDataClass.swift").contains("public class B: A {}"))
  }

  @Test func notesChangeTheClasses() throws {
    let sample = try GenerateSample(GenerateSample.notes)
    let run = try sample.generateFiles()
    #expect(run.status == 0)
    #expect(
      run.errors.hasPrefix(
        "Thing.left: is not in its class, because the note mogenerator.ignore says so. The version hash needs it, so "
          + "Shop.makeModel() makes the model in code."))
    let text = try sample.body("_Thing.swift")
    let start =
      "import Colors\nimport Foundation\nimport Shapes\nimport Sporades\n\n/// Any thing.\n@Entity("
    #expect(text.hasPrefix(start), "\(text)")
    #expect(text.contains(") nonisolated final class Thing: Base {\n"))
    #expect(text.contains(" var color: Color?\n"))
    #expect(text.contains("  /// The kind of\n  /// the thing.\n  @Attribute("))
    #expect(text.contains(" var kind: Kind = Kind(rawValue: 2)!\n"))
    #expect(text.contains(" private(set) var made: Date?\n"))
    #expect(!text.contains("left"))
    // The hash of the model needs the attribute that the class lacks.
    let list = try sample.body("_Shop.swift")
    #expect(list.contains("    try ShopModel.makeModel()\n"))
    #expect(list.contains("AttributeDescription(\"left\", .string"))
  }

  @Test func notesChangeManagedClasses() throws {
    let sample = try GenerateSample(GenerateSample.notes)
    _ = try sample.generateFiles("--form", "managed")
    let text = try sample.body("Thing+CoreDataProperties.swift")
    #expect(text.hasPrefix("import Colors\nimport CoreData\nimport Foundation\nimport Shapes\n"))
    #expect(text.contains("  @NSManaged public var color: Color?\n"))
    #expect(text.contains("  @NSManaged public var kind: Kind\n"))
    #expect(text.contains("  @NSManaged public private(set) var made: Date?\n"))
    #expect(!text.contains("left"))
    #expect(
      try sample.text("Thing+CoreDataClass.swift").contains(
        "/// Any thing.\n#if canImport(ObjectiveC)\n@objc(Thing)\n#endif\npublic class Thing: Base {}\n"
      ))
  }

  @Test func templatesOfRequestsAreTypedFunctions() throws {
    let sample = try GenerateSample()
    _ = try sample.generateFiles()
    let text = try sample.text("_Customer.swift")
    #expect(
      text.contains(
        "  static func fetchByName(in context: some FinderContext, least: Int16, name: String) throws -> [Customer] {\n"
      ))
    #expect(
      text.contains(
        "  static func fetchOneNamed(in context: some FinderContext, names: [String]) throws -> Customer? {\n"
      ))
  }

  // MARK: - Names

  @Test(arguments: ["entity", "managed"])
  func namesThatSwiftCannotDeclareAreRefused(_ form: String) throws {
    let sample = try GenerateSample(
      """
      <entity name="A" representedClassName="A">
        <attribute name="Type" optional="YES" attributeType="String"/>
        <attribute name="kind" attributeType="Integer 16">
          <userInfo><entry key="attributeValueScalarType" value="Int = { abort() }()"/></userInfo>
        </attribute>
        <userInfo><entry key="additionalImports" value="A; import B"/></userInfo>
      </entity>
      """)
    let run = try sample.generateFiles("--form", form)
    #expect(run.status == 3)
    #expect(run.errors.contains("A.Type: no property in Swift can have this name."))
    #expect(run.errors.contains("A.kind: the text of attributeValueScalarType is"))
    #expect(run.errors.contains("A: the text of additionalImports is"))
    #expect(!FileManager.default.fileExists(atPath: sample.output))
  }

  @Test(arguments: ["class", "A-B", "AttributeKey", "a/../../b"])
  func classesWithoutANameInSwiftAreRefused(_ name: String) throws {
    let sample = try GenerateSample("<entity name=\"A\" representedClassName=\"\(name)\"/>")
    let run = try sample.generateFiles("--form", "managed")
    #expect(run.status == 3)
    #expect(run.errors.contains("A: no class in Swift can have the name"), "\(run.errors)")
    // Classes of Sporades need not have the name of the model.
    _ = try sample.generateFiles()
    #expect(try sample.names.contains("A.swift"))
  }

  @Test func filesOfOneNameAreRefused() throws {
    let sample = try GenerateSample(
      "<entity name=\"A\" representedClassName=\"_Note\"/><entity name=\"B\" representedClassName=\"Note\"/>"
    )
    let run = try sample.generateFiles()
    #expect(run.status == 3)
    #expect(run.errors.contains("Two files would have the name"), "\(run.errors)")
  }

  // MARK: - Templates

  /// Writes templates by the names of their kinds, and generates with them.
  private func templates(_ texts: [String: String], _ words: String...) throws -> (
    GenerateSample, CommandRun
  ) {
    let sample = try GenerateSample()
    let folder = sample.work.url.appendingPathComponent("Templates")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (kind, text) in texts {
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(kind).template"))
    }
    let run = try CommandRun(
      ["generate", sample.model, "--output", sample.output, "--template-path", folder.path] + words)
    return (sample, run)
  }

  @Test func templatesTakeThePlaceOfTexts() throws {
    let machine = """
      // {{var.owner}}{{! a remark }}
      struct {{class}}Row: {{superclass}} {
        {{#attributes}}
        let {{name}}: {{type}}{{#isOptional}}?{{/isOptional}}{{^isLast}} // more{{/isLast}}
        {{/attributes}}
        {{#relationships}}{{relationship}}->{{destination}} {{/relationships}}
      }

      """
    let (sample, run) = try templates(
      ["machine": machine, "model": "{{#entities}}\n{{class}}\n{{/entities}}\n"],
      "--template-var", "owner=me")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try sample.body("_Customer.swift") == """
        // me
        struct CustomerRow: ManagedObject {
          let age: Int16 // more
          let name: String? // more
          let rank: Int32?
          orders->Order 
        }

        """)
    #expect(try sample.body("_Shop.swift") == "Customer\nOrder\n")
    #expect(try sample.text("Customer.swift") == "import Sporades\n\nextension Customer {}\n")
  }

  @Test(arguments: [
    ("a\n{{clas}}", "machine.template:2: there is no value clas. The nearest name is class."),
    ("{{#attributes}}", "the section {{#attributes}} has no {{/attributes}}."),
    ("{{/attributes}}", "{{/attributes}} ends no section."),
    ("{{#attributes}}{{/entity}}", "{{/entity}} ends {{#attributes}}."),
    ("{{class", "a place begins with {{ and has no }}."), ("{{attributes}}", "is no text"),
    ("{{var.x}}", "there is no value var.x."),
    (String(repeating: "{{#class}}", count: 40), "more than 32 sections"),
  ])
  func mistakesInTemplatesAreNamed(_ text: String, _ sentence: String) throws {
    let (sample, run) = try templates(["machine": text])
    #expect(run.status == 3)
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: sample.output))
  }

  @Test func aFolderWithoutTemplatesIsRefused() throws {
    let (_, run) = try templates([:])
    #expect(run.status == 3)
    #expect(run.errors.contains("holds none of the templates"))
  }
}
