// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The tool of the plugin makes classes of models, gives properties their code, and tells what stands in the way.
struct ToolTests {
  private static let shop = """
    <entity name="Customer" representedClassName="Customer" syncable="YES" codeGenerationType="class">
      <attribute name="age" attributeType="Integer 16" usesScalarValueType="YES"/>
      <attribute name="default" optional="YES" attributeType="String"/>
      <attribute name="rank" optional="YES" attributeType="Integer 64"/>
      <attribute name="since" optional="YES" attributeType="Date"/>
      <attribute name="tags" optional="YES" attributeType="Transformable" customClassName="[String]"/>
      <relationship name="notes" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Note" inverseName="customer" inverseEntity="Note"/>
      <relationship name="orders" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
    </entity>
    <entity name="Special" representedClassName=".Special" parentEntity="Customer" codeGenerationType="class"/>
    <entity name="Order" representedClassName="App.Order" codeGenerationType="category">
      <attribute name="sum" optional="YES" attributeType="Decimal"/>
      <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>
    </entity>
    <entity name="Note" representedClassName="Note">
      <attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="notes" inverseEntity="Customer"/>
    </entity>
    """

  private static let program = """
    import CoreData
    nonisolated public class Order: NSManagedObject {}
    nonisolated public class Note: NSManagedObject {
      @NSManaged public var text: String?
      @NSManaged public var customer: Customer?
      @NSManaged public var all: Set<Order>?
    }
    nonisolated class Loud: Customer {
      override var `default`: String? {
        get { super.default?.uppercased() }
        set { super.default = newValue }
      }
    }
    nonisolated func sum(_ order: Order) -> NSDecimalNumber? { order.sum }
    nonisolated func add(_ order: Order, to customer: Customer) { customer.addToOrders(order) }
    nonisolated func isIdentifiable<Value>(_ value: Value) -> Bool { value is any Identifiable }
    @main enum Program {
      static func main() {
        let customer = Loud()
        customer.default = "first"
        customer.age = 7
        customer.age += 1
        customer.rank = 3
        customer.since = Date(timeIntervalSince1970: 0)
        customer.tags = ["a"]
        customer[keyPath: \\.tags]?.append("b")
        print(customer.default ?? "", customer.age, customer.rank ?? 0, customer.tags ?? [])
        let note = Note()
        note.customer = customer
        note.text = "t"
        print(note.customer === customer, note.text ?? "")
        let order = Order()
        order.customer = customer
        order.sum = 2
        print(order.customer === customer, sum(order) ?? 0)
        let request: NSFetchRequest<Customer> = Customer.fetchRequest()
        let special: NSFetchRequest<Special> = Special.fetchRequest()
        print(request.entityName, special.entityName, isIdentifiable(Special()), isIdentifiable(order))
        add(order, to: customer)
        customer.removeFromOrders(NSSet(array: [order]))
        customer.insertIntoNotes(note, at: 0)
        customer.insertIntoNotes([note], at: NSIndexSet(index: 0))
        customer.removeFromNotes(at: 0)
        customer.removeFromNotes(at: NSIndexSet(index: 0))
        customer.replaceNotes(at: 0, with: note)
        customer.replaceNotes(at: NSIndexSet(index: 0), with: [note])
        customer.addToNotes(NSOrderedSet(object: note))
      }
    }

    """

  @Test(arguments: [
    ["-swift-version", "5"],
    ["-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault", "-O", "-wmo"],
    ["-swift-version", "6", "-default-isolation", "MainActor"],
  ])
  func classesOfModelsCompileAndRun(flags: [String]) throws {
    let compiler = try Compiler()
    try compiler.writeModel("Shop", Self.shop)
    let imports = flags.contains("InternalImportsByDefault") ? "public import" : "import"
    try compiler.write(
      "Note.swift", Self.program.replacing("import CoreData", with: "\(imports) CoreData"))
    let tool = try compiler.runTool("Note.swift", "Shop.xcdatamodeld")
    #expect(tool.status == 0 && tool.text.isEmpty, "\(tool.text)")
    let text = try String(
      contentsOf: compiler.folder.appending(path: "Accessors.swift"), encoding: .utf8)
    #expect(text.contains(#"names[\Customer.age] = "age""#))
    #expect(text.contains(#"names[\Note.text] = "text""#))
    // A superclass declares it.
    #expect(text.contains(#"names[\Loud.age] = "age""#))
    let built = try compiler.run(
      "swiftc",
      [
        "-parse-as-library", "-module-name", "App", "-I", ".", "-L", ".", "-lCoreData",
        "Note.swift", "Accessors.swift", "-o", "program",
      ] + flags)
    #expect(built.status == 0 && built.complaints == [], "\(built.text)")
    let output = try compiler.run("./program").text
    #expect(
      output == """
        FIRST 8 3 ["a", "b"]
        true t
        true 2
        Customer Special true true
        add orders Order
        remove orders 1
        insert notes 0
        insert notes 1
        remove notes 0
        remove notes 1
        replace notes 0
        replace notes 1
        add notes 1

        """)
  }

  /// An extension of a class of the module's own needs no public import, and the compiler refuses one.
  @Test func extensionsOfInternalClassesImportNoMoreThanTheyNeed() throws {
    let compiler = try Compiler()
    try compiler.writeModel(
      "Shop",
      """
      <entity name="Order" representedClassName="Order" codeGenerationType="category">
        <attribute name="sum" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
      </entity>
      """)
    try compiler.write("Order.swift", "import CoreData\nclass Order: NSManagedObject {}\n")
    #expect(try compiler.runTool("Order.swift", "Shop.xcdatamodeld").status == 0)
    let built = try compiler.run(
      "swiftc", "-c", "-module-name", "App", "-I", ".", "Order.swift", "Accessors.swift",
      "-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault")
    #expect(built.status == 0 && built.complaints == [], "\(built.text)")
  }

  @Test func aTargetWithoutManagedPropertiesGetsAFileThatIsEmpty() throws {
    let compiler = try Compiler()
    try compiler.write("Plain.swift", "struct Plain {}\n")
    try compiler.write("Empty.swift", "")
    #expect(try compiler.runTool("Plain.swift", "Empty.swift").status == 0)
    let text = try String(
      contentsOf: compiler.folder.appending(path: "Accessors.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("//") }, "\(text)")
  }

  @Test func findingsAreLinesOfACompiler() throws {
    let compiler = try Compiler()
    try compiler.write(
      "A.swift", "import CoreData\nclass A: NSManagedObject {\n  @NSManaged var x: Color?\n}\n")
    let tool = try compiler.runTool("A.swift")
    #expect(tool.status == 1)
    #expect(tool.text.hasPrefix("A.swift:3:18: error: “x”: "), "\(tool.text)")
    let output = compiler.folder.appending(path: "Accessors.swift").path
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func modelsTellWhatMethodsCanBe() throws {
    let compiler = try Compiler()
    try compiler.writeModel("Shop", Self.shop)
    try compiler.write(
      "A.swift",
      "import CoreData\nclass Order: NSManagedObject {}\nextension Customer { @NSManaged func addToAge(_ a: Order) }\n"
    )
    let tool = try compiler.runTool("A.swift", "Shop.xcdatamodeld")
    #expect(tool.status == 1 && tool.text.contains("no relationship to many"), "\(tool.text)")
  }

  @Test(
    arguments: [
      ("Missing.swift", nil, "Missing.swift cannot be read"),
      ("Bytes.swift", [0x63, 0xFF, 0xFE], "Bytes.swift is not in UTF-8"),
      ("Text.txt", Array("x".utf8), "Text.txt is neither"),
      ("Empty.xcdatamodel", [], "Empty.xcdatamodel"),
      ("None.xcdatamodeld", nil, "None.xcdatamodeld"),
    ] as [(String, [UInt8]?, String)])
  func whatCannotBeReadIsNamed(file: String, bytes: [UInt8]?, sentence: String) throws {
    let compiler = try Compiler()
    if let bytes { try Data(bytes).write(to: compiler.folder.appending(path: file)) }
    let tool = try compiler.runTool(file)
    #expect(tool.status == 3)
    #expect(tool.text.contains("error: ") && tool.text.contains(sentence), "\(tool.text)")
  }

  @Test func aCodegenOfAnotherKindIsNamed() throws {
    let compiler = try Compiler()
    try compiler.writeModel(
      "Shop", #"<entity name="A" representedClassName="A" codeGenerationType="struct"/>"#)
    let tool = try compiler.runTool("Shop.xcdatamodeld")
    #expect(tool.status == 3)
    #expect(tool.text.contains("contents:3:1: error: A: has the codegen “struct”"), "\(tool.text)")
  }
}
