// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Calls and types of products that a program has not imported. The compiler names the product.
@Suite(.enabled(if: Compiler.isPresent))
struct ProductNameTests {
  static let withoutImport = [
    "_ = try await service.import(User.self, from: .json(url))",
    "try await service.import(User.self, from: .csv(url))",
    "_ = try await service.import(User.self, from: url)",
    "_ = try await service.import(User.self, from: .json(url), progress: { print($0) })",
    "print(try await service.import(User.self, from: .json(url)).failures.count)",
    "try await service.export(User.request, as: .json, to: url)",
    "let report = try await service.export(User.where(\\.firstname == nil), as: .csv, to: url); print(report)",
  ]

  /// One error stands for the missing module, and none for what it would have declared.
  @Test func aModuleThatIsNotImportedIsNamed() throws {
    let found = try Compiler.errors(
      in: Self.withoutImport, with: "_ service: DALService, _ url: URL", after: "import Foundation")
    for (call, errors) in zip(Self.withoutImport, found) {
      #expect(errors.count == 1, "\(call): \(errors)")
      #expect(
        errors.first?.contains("add the product SporadesImport to the target") == true,
        "\(call): \(errors)")
    }
  }

  static let ofXcode = [
    "_ = DALService(sqlite: \"Pets\")",
    "_ = DALService(sqlite: \"Pets\", classes: [User.self], options: .init())",
    "_ = try PersistentContainer(name: \"Pets\")",
    "_ = try PersistentContainer(name: \"Pets\", classes: [User.self])",
    "_ = try ManagedObjectModel(contentsOf: url)",
    "_ = try ManagedObjectModel(named: \"Pets\", in: [url])",
    "_ = try ManagedObjectModel.mergedModel(from: [url], forStoreMetadata: [:])",
    "try model.write(to: url, replacing: true)",
    "_ = DALService(openingStoreAt: url, classes: [User.self])",
    "_ = try DataStack(openingStoreAt: url)",
    "_ = try SQLiteStore(openingStoreAt: url)",
    "_ = try PersistentContainer(openingStoreAt: url)",
  ]

  @Test(arguments: [false, true])
  func callsOfXcodesFilesNameTheirModule(_ isImported: Bool) throws {
    let found = try Compiler.errors(
      in: Self.ofXcode, with: "_ model: ManagedObjectModel, _ url: URL",
      after: """
        import Foundation
        import SporadesContainers
        \(isImported ? "import SporadesXcode" : "")
        """)
    for (call, errors) in zip(Self.ofXcode, found) {
      #expect(errors.count == (isImported ? 0 : 1), "\(call): \(errors)")
      guard !isImported else { continue }
      #expect(errors.first?.contains("add the product SporadesXcode") == true, "\(call): \(errors)")
    }
  }

  static let rings = [
    ("let container: PersistentContainer? = nil; print(container as Any)", "SporadesContainers"),
    ("_ = PersistentContainer(name: \"Pets\", managedObjectModel: model)", "SporadesContainers"),
    ("_ = PersistentStoreCoordinator(model: model)", "SporadesContainers"),
    ("_ = PersistentStoreDescription(url: url)", "SporadesContainers"),
    (
      "_ = try FetchedResultsController(User.request, in: context, sectionNameKeyPath: nil)",
      "SporadesLive"
    ),
    (
      "var options = SQLiteStoreOptions(); options.migrationPlan = ModelFileMigration(contentsOf: url)",
      "SporadesXcode"
    ),
    ("_ = try ModelFile.versions(at: url)", "SporadesXcode"),
    ("print(try StoreModel(ofStoreAt: url).model)", "SporadesXcode"),
    ("_ = MigrationPlan([.mapping(from: model, to: model, MappingModel([]))])", "SporadesXcode"),
    (
      "_ = MigrationPlan([.mapping(fromVersion: One.self, toVersion: One.self, MappingModel([]))])",
      "SporadesXcode"
    ),
    (
      "try MigrationManager(source: model, destination: model).migrateStore(from: url, with: MappingModel([]))",
      "SporadesXcode"
    ),
    ("final class Policy: EntityMigrationPolicy {}; print(Policy.self)", "SporadesXcode"),
    ("print(try context.explain(FetchRequest(\"User\")))", "SporadesExplaining"),
    ("print(try User.where(\\.firstname == nil).explain(in: context))", "SporadesExplaining"),
    ("SlowFetches.report(over: .seconds(1)) { print($0) }", "SporadesExplaining"),
    (
      "print(PersistentHistoryChangeRequest.fetchHistory(after: nil as PersistentHistoryToken?))",
      "SporadesHistory"
    ),
    ("print(HistoryFilter(entities: [\"User\"]), HistoryRetention())", "SporadesHistory"),
    ("print(try context.fetchHistory())", "SporadesHistory"),
    ("let rule: RemoteMergeRule? = nil; print(rule as Any)", "SporadesHistory"),
    ("let option: AttributeOption = .keepsValuesInHistory; print(option)", "SporadesAudit"),
    ("print(try DataStack(inMemory: [User.self]).store.integrityProblems())", "SporadesCare"),
    (
      "try DataStack(inMemory: [User.self]).store.forEachIntegrityProblem { print($0) }",
      "SporadesCare"
    ),
  ]

  @Test(arguments: [false, true])
  func typesOfOtherProductsNameThem(_ isImported: Bool) throws {
    let products = [
      "SporadesAudit", "SporadesCare", "SporadesContainers", "SporadesExplaining",
      "SporadesHistory", "SporadesLive", "SporadesXcode",
    ]
    let found = try Compiler.errors(
      in: Self.rings.map(\.0),
      with: "_ model: ManagedObjectModel, _ context: ManagedObjectContext, _ url: URL",
      after: (["Foundation"] + (isImported ? products : [])).map { "import \($0)" }
        .joined(separator: "\n")
          + """

          enum One: VersionedSchema { static var entities: [ManagedObject.Type] { [User.self] } }
          """)
    for (call, errors) in zip(Self.rings, found) {
      guard !isImported else {
        #expect(errors.allSatisfy { !$0.contains("add the product") }, "\(call): \(errors)")
        continue
      }
      #expect(errors.first?.contains("add the product \(call.1) ") == true, "\(call): \(errors)")
    }
  }
}
