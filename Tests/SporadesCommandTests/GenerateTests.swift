// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The files that `generate` makes, and leaves alone.
@Suite struct GenerateTests {
  @Test func eachEntityGetsAFileOfTheMachineAndOneForPeople() throws {
    let sample = try GenerateSample()
    let run = try sample.generateFiles()
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(
      try sample.names == [
        "Customer.swift", "Order.swift", "_Customer.swift", "_Order.swift", "_Shop.swift",
      ])
    #expect(run.output.hasSuffix("made \(sample.output)/_Shop.swift\n5 made\n"))
    #expect(try sample.text("Customer.swift") == "import Sporades\n\nextension Customer {}\n")
    #expect(try sample.body("_Customer.swift") == Self.customer)
    #expect(try sample.body("_Shop.swift") == Self.shop)
  }

  @Test func aSecondRunChangesNothing() throws {
    let sample = try GenerateSample()
    _ = try sample.generateFiles()
    let file = sample.output + "/_Customer.swift"
    let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    let run = try sample.generateFiles()
    #expect(run.output == "3 unchanged, 2 kept\n")
    let after = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
    #expect(before == after)
  }

  @Test func anEditedModelChangesTheMachinesFilesAlone() throws {
    let sample = try GenerateSample()
    _ = try sample.generateFiles()
    let own = "import Sporades\n\nextension Customer { var isOld: Bool { age > 60 } }\n"
    try Data(own.utf8).write(to: URL(fileURLWithPath: sample.output + "/Customer.swift"))
    try sample.write(
      GenerateSample.shop.replacingOccurrences(of: "name=\"rank\"", with: "name=\"level\""))
    let run = try sample.generateFiles()
    #expect(
      run.output == "changed \(sample.output)/_Customer.swift\n1 changed, 2 unchanged, 2 kept\n")
    #expect(try sample.text("Customer.swift") == own)
    #expect(try sample.text("_Customer.swift").contains("var level: Int32?"))
  }

  @Test func aFileOfOthersIsReplacedOnlyWithTheWord() throws {
    let sample = try GenerateSample()
    let file = URL(fileURLWithPath: sample.output + "/_Order.swift")
    try FileManager.default.createDirectory(
      atPath: sample.output, withIntermediateDirectories: true)
    try Data("mine\n".utf8).write(to: file)
    let refused = try sample.generateFiles()
    #expect(refused.status == 3)
    #expect(refused.errors.contains("_Order.swift is in the place of a generated file"))
    #expect(try sample.names == ["_Order.swift"])
    let run = try sample.generateFiles("--replace")
    #expect(run.status == 0)
    #expect(run.output.contains("changed \(sample.output)/_Order.swift"))
    #expect(try sample.names.count == 5)
  }

  @Test func theHalvesMayLieInTwoFolders() throws {
    let sample = try GenerateSample()
    let (machine, human) = (sample.work.path("a/machine"), sample.work.path("human"))
    let run = try sample.generate("--machine-dir", machine, "--human-dir", human)
    #expect(run.status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: human).sorted() == [
        "Customer.swift", "Order.swift",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: machine).count == 3)
    let half = try sample.generate("--machine-dir", machine)
    #expect(half.status == 2)
    #expect(half.errors.contains("--output DIR is missing."))
  }

  @Test func aListWritesNothing() throws {
    let sample = try GenerateSample()
    let run = try sample.generate("--list", "--form", "managed")
    #expect(run.status == 0)
    #expect(
      run.output == "Customer+CoreDataClass.swift\nCustomer+CoreDataProperties.swift\n")
    #expect(run.errors == "Order: has no class of its own, so no files are made of it.\n")
    let json = try sample.generateFiles("--list", "--json").json([String: Any].self)
    let files = try #require(json["files"] as? [[String: String]])
    #expect(json["model"] as? String == "Shop")
    #expect(files.last == ["path": sample.output + "/_Shop.swift", "half": "machine"])
    #expect(!FileManager.default.fileExists(atPath: sample.output))
  }

  @Test func filesOfEntitiesThatAreGoneAreOrphans() throws {
    let sample = try GenerateSample()
    _ = try sample.generateFiles()
    #expect(try sample.generateFiles("--orphaned").status == 0)
    let entity = "<entity name=\"Order\" representedClassName=\"Order\"/>"
    try sample.write(entity)
    let run = try sample.generateFiles("--orphaned")
    #expect(run.status == 1)
    #expect(run.output == "\(sample.output)/_Customer.swift\n")
    let json = try sample.generateFiles("--orphaned", "--json").json([String: [String]].self)
    #expect(json == ["orphaned": ["\(sample.output)/_Customer.swift"]])
    #expect(try sample.names.count == 5)
  }

  @Test func aConfigurationHasItsEntities() throws {
    let sample = try GenerateSample()
    let mistyped = try sample.generateFiles("--configuration", "Smal")
    #expect(mistyped.status == 2)
    #expect(mistyped.errors.contains("Did you mean Small?"))
    // The order leads to a customer, which the configuration lacks.
    let open = try sample.generateFiles("--configuration", "Small")
    #expect(open.status == 3)
    #expect(open.errors.contains("The entities of the configuration Small need others:"))
    #expect(open.errors.contains("Order.customer"))
    try sample.write(
      """
      <entity name="A" representedClassName="A"/><entity name="B" representedClassName="B"/>
      <configuration name="Small"><memberEntity name="B"/></configuration>
      """)
    _ = try sample.generateFiles("--configuration", "Small")
    #expect(try sample.names == ["B.swift", "_B.swift", "_Shop.swift"])
    _ = try sample.generateFiles()
    #expect(try sample.generateFiles("--configuration", "Small", "--orphaned").status == 0)
  }

  @Test(arguments: [
    (["--form", "manged"], "The nearest name is managed."),
    (["--template-var", "x"], "needs NAME=VALUE"),
    (["--template-var", "x=1"], "has no effect without --template-path"),
    (["--template-var", "x=1", "--template-var", "x=2"], "is given twice"),
    (["--list", "--orphaned"], "give one of them"),
    (["--form", "managed", "--public"], "the classes of --form managed are public"),
  ])
  func mistakesAreNamed(_ words: [String], _ sentence: String) throws {
    let sample = try GenerateSample()
    let run = try CommandRun(["generate", sample.model, "--output", sample.output] + words)
    #expect(run.status == 2)
    #expect(run.errors.contains(sentence), "\(run.errors)")
  }

  @Test func modelsThatCannotBeReadAreNamed() throws {
    let sample = try GenerateSample()
    let absent = try CommandRun("generate", sample.work.path("No.xcdatamodeld"), "--output", "x")
    #expect(absent.status == 3)
    #expect(absent.errors.contains("No.xcdatamodeld"))
    try sample.write("<entity")
    #expect(try sample.generateFiles().status == 3)
    #expect(!FileManager.default.fileExists(atPath: sample.output))
  }

  // MARK: - The arguments in a file

  @Test func withoutArgumentsTheyComeFromAFile() throws {
    let sample = try GenerateSample()
    let file = sample.work.url.appendingPathComponent(".mogenerator-args")
    let absent = try CommandRun("generate", in: sample.work.url)
    #expect(absent.status == 2)
    #expect(absent.errors.contains("this folder has no .mogenerator-args"))
    let words = #"["--model", "Shop.xcdatamodeld", "--output-dir=Model", "--swift"]"#
    try Data(words.utf8).write(to: file)
    let run = try CommandRun("generate", "--json", in: sample.work.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json([String: Any].self)["model"] as? String == "Shop")
    #expect(try sample.names.count == 5)
    let others = """
      ["--v2", "-m", "Shop.xcdatamodeld", "--baseClass", "Base", "-O", "Model", "-2", "-S"]
      """
    try Data(others.utf8).write(to: file)
    let second = try CommandRun("generate", in: sample.work.url)
    #expect(second.status == 0, "\(second.errors)")
    #expect(try sample.text("_Order.swift").contains("final class Order: Base {"))
  }

  @Test(arguments: ["", "{}", "[1]", "[\"a\"", String(repeating: "[", count: 5_000)])
  func aFileThatHoldsNoArgumentsIsNamed(_ text: String) throws {
    let sample = try GenerateSample()
    let file = sample.work.url.appendingPathComponent(".mogenerator-args")
    try Data(text.utf8).write(to: file)
    let run = try CommandRun("generate", in: sample.work.url)
    #expect(run.status == 3)
    #expect(run.errors.contains(".mogenerator-args holds no list of arguments"), "\(run.errors)")
    try Data("[]".utf8).write(to: file)
    #expect(try CommandRun("generate", in: sample.work.url).status == 2)
  }

  // MARK: - Real models

  @Test(arguments: ["entity", "managed"])
  func everyRealModelHasItsFiles(_ form: String) throws {
    let work = try WorkFolder()
    // Of the versions of a model, which differ little, one in five.
    let models = Fixtures.paths(under: "models", endings: ["xcdatamodel"])
      .filter { FileManager.default.fileExists(atPath: $0 + "/contents") }
      .enumerated().filter { $0.offset.isMultiple(of: 5) }
    for (number, model) in models {
      let output = work.path("\(number)")
      let words = ["generate", model, "--output", output, "--form", form, "--json"]
      let run = try CommandRun(words)
      #expect(run.status == 0, "\(model): \(run.errors)")
      let again = try CommandRun(words).json([String: Any].self)["files"] as? [[String: String]]
      #expect(again?.allSatisfy { ["unchanged", "kept"].contains($0["outcome"]) } == true)
    }
  }

  // MARK: - Texts

  private static let customer = """
    import Foundation
    import Sporades

    @Entity nonisolated final class Customer: ManagedObject {
      var age: Int16 = 0
      var name: String?
      var rank: Int32?
      @Relationship(deleteRule: .cascade, inverse: "customer") var orders: Set<Order>
    }

    nonisolated extension Customer {
      /// The names of the entity's own attributes.
      enum AttributeKey: String, CaseIterable, Sendable {
        case age
        case name
        case rank
      }

      /// The names of the entity's own relationships.
      enum RelationshipKey: String, CaseIterable, Sendable {
        case orders
      }

      /// Fetches the objects of the fetch request template "byName".
      static func fetchByName(in context: some FinderContext, least: Int16, name: String) throws -> [Customer] {
        var request = FetchRequest("Customer")
        request.predicate = try FetchPredicate(format: "name == $name AND age > $least")
        request.predicate = request.predicate?.substituting(["least": least, "name": name])
        return try context.managedObjectContext.fetch(Customer.self, request)
      }

      /// Fetches the one object of the fetch request template "oneNamed".
      /// If there are several, it returns the first and writes a line to standard error.
      static func fetchOneNamed(in context: some FinderContext, names: [String]) throws -> Customer? {
        var request = FetchRequest("Customer")
        request.predicate = try FetchPredicate(format: "name IN $names")
        request.fetchLimit = 2
        request.predicate = request.predicate?.substituting(["names": names])
        let objects = try context.managedObjectContext.fetch(Customer.self, request)
        if objects.count > 1 { FileHandle.standardError.write(Data("Customer.fetchOneNamed: 0 or 1 objects expected, several found\\n".utf8)) }
        return objects.first
      }
    }

    """

  private static let shop = """
    import Foundation
    import Sporades

    /// The classes, and the model that they declare.
    nonisolated enum Shop {
      static let classes: [ManagedObject.Type] = [
        Customer.self,
        Order.self,
      ]

      static func makeModel() throws -> ManagedObjectModel {
        try ManagedObjectModel(classes, configurations: [
          "Small": [Order.self],
        ])
      }
    }

    """
}
