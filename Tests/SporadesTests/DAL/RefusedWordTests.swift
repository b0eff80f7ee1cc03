// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Words of other libraries, and labels in other places. The compiler's first sentence about each says what to write.
@Suite(.enabled(if: Compiler.isPresent))
struct RefusedWordTests {
  static let finders = [
    ("context.insert(user)", "an object is in its context from its making"),
    ("_ = try User.average(\\.firstname, in: context)", "only numbers and dates have an average"),
    (
      "_ = try User.request.average(\\.firstname, in: context)",
      "only numbers and dates have an average"
    ),
    ("_ = try User.fetchAll(in: context)", "renamed to 'all(in:)'"),
    ("_ = try User.fetchOne(in: context)", "renamed to 'first(in:)'"),
    ("_ = User.create(in: context) { $0.firstname = \"a\" }", "create(in:) returns the object"),
    ("_ = try User.findOrCreate(\\.firstname, equalTo: \"a\", in: context)", "'firstOrCreate("),
    (
      "_ = try User.findOrCreate(where: \\.firstname == \"a\", in: context)",
      "firstOrCreate sets the value by which it looks"
    ),
    ("_ = try User.all(orderBy: \\.firstname, in: context)", "write sortedBy"),
    (
      "_ = try User.all(where: \\.lastname == \"a\", orderBy: \"firstname\", in: context)",
      "write sortedBy"
    ),
    (
      "_ = try User.all(predicate: condition, sortDescriptors: [], in: context)",
      "write where and sortedBy"
    ),
    (
      "_ = try User.all(sortedBy: { $0.firstname! < $1.firstname! }, in: context)",
      "a store cannot run a closure"
    ),
    ("_ = try User.all(where: User.request, in: context)", "a request fetches by itself"),
    ("_ = try context.fetch(User.request)", "a request fetches by itself"),
    ("_ = try context.count(User.request)", "a request counts by itself"),
    ("_ = try context.count(User.self)", "write User.count(in: context)"),
    ("_ = try User.count(where: \"firstname == 'a'\", in: context)", "FetchPredicate(format:"),
    ("try User.deleteAll(where: \"firstname == 'a'\", in: context)", "FetchPredicate(format:"),
    ("_ = User.sorted(by: \\.firstname, order: .reverse)", "around the key path"),
    ("_ = User.request.sorted(by: \\.firstname, order: .reverse)", "around the key path"),
    ("_ = try User.fetchOne(context, key: 3)", "an object has no number"),
  ]

  static let requests = [
    ("_ = try FetchPredicate(\"firstname == %@\", \"a\")", "write the label"),
    ("_ = FetchRequest(entityName: \"User\")", "write the name without a label"),
    (
      "_ = FetchRequest(\"User\", predicate: condition, sortDescriptors: [])",
      "write FetchRequest(\"User\", where: predicate"
    ),
    ("var r = FetchRequest(\"User\"); r.sortDescriptors = []; _ = r", "renamed to 'sortTerms'"),
    (
      "_ = User.request.grouped(by: \\.firstname, \\.lastname, \\.firstname, \\.lastname) { $0.count }",
      "groups have up to three keys"
    ),
    (
      "_ = User.request.pluck(\\.firstname, \\.firstname, \\.firstname, \\.lastname, \\.lastname, in: context)",
      "pluck takes up to four key paths"
    ),
    (
      "try context.execute(User.request.update { $0.firstname = \"a\" })",
      "a store cannot run a closure; write update("
    ),
    (
      "User.request.update(\\.firstname, to: \"a\", in: context)",
      "a context or a service executes a batch"
    ),
    (
      "_ = BatchUpdateRequest(entityName: \"User\")",
      "write BatchUpdateRequest(fetchRequest: FetchRequest(\"User\")"
    ),
    (
      "_ = BatchUpdateRequest(\"User\", set: [\"firstname\": \"a\"])",
      "write BatchUpdateRequest(fetchRequest: FetchRequest(\"User\")"
    ),
    ("_ = BatchDeleteRequest(\"User\")", "write BatchDeleteRequest(fetchRequest:"),
    ("_ = BatchDeleteRequest(entityName: \"User\")", "write BatchDeleteRequest(fetchRequest:"),
  ]

  static let stacks = [
    (
      "_ = DALService(sqlite: \"x\", entities: User.self, User.self)", "write the classes as a list"
    ),
    ("_ = DALService(inMemory: User.self)", "write the classes as a list"),
    ("_ = DALService(sqlite: \"x\", models: [User.self])", "write entities"),
    ("_ = DALService(path: \"x\", entities: [User.self])", "write sqlite"),
    ("_ = DALService(url: URL(fileURLWithPath: \"x\"), entities: [User.self])", "write sqlite"),
    ("_ = DALService(sqlite: url)", "list the classes of the entities"),
    ("_ = DALService(sqlite: url, options: .init())", "list the classes of the entities"),
    ("_ = DALService(sqlite: url, [User.self])", "write entities"),
    ("_ = DALService(sqlite: \"x\", [User.self])", "write entities"),
    ("_ = DALService(entities: [User.self])", "say where the objects are kept"),
    ("_ = DALService(inMemory: true)", "write the classes"),
    ("_ = DALService(inMemory: true, entities: [User.self])", "write the classes"),
    ("_ = DALService(inMemory: model)", "DataStack(inMemory: model)"),
    ("_ = DALService(sqlite: \"x\", model: model)", "beside a model write a URL"),
    (
      "_ = DALService(sqlite: url, entities: [User.self], durability: .immediate)",
      "options: .init("
    ),
    (
      "_ = DALService(sqlite: \"x\", entities: [User.self], mergePolicy: .objectTrump)",
      "options: .init("
    ),
    ("_ = DALService(inMemory: [User.self], durability: .immediate)", "options: .init("),
    ("_ = DALService(inMemory: [User.self], mergePolicy: .objectTrump)", "options: .init("),
    (
      "_ = DALService(sqlite: url, entities: [User.self], createsFile: false)",
      "storeOptions: store"
    ),
    (
      "_ = DALService(sqlite: \"x\", entities: [User.self], createsFile: false)",
      "storeOptions: store"
    ),
    (
      "_ = DALService(sqlite: url, entities: [User.self], options: .init(createsFile: false))",
      "storeOptions: store"
    ),
    (
      "_ = DALService(sqlite: url, entities: [User.self], migrationPlan: MigrationPlan([]))",
      "storeOptions: store"
    ),
    (
      "_ = DALService(inMemory: [User.self], storeOptions: SQLiteStoreOptions())",
      "a store in memory has no file"
    ),
    ("_ = try DataStack(sqlite: url)", "list the classes of the entities"),
    ("_ = try DataStack(sqlite: \"x\")", "list the classes of the entities"),
    ("_ = try DataStack(inMemory: User.self)", "write the classes as a list"),
    ("_ = try DataStack(sqlite: url, entities: User.self)", "write the classes as a list"),
    ("_ = try DataStack(sqlite: \"x\", entities: User.self)", "write the classes as a list"),
    ("_ = try DataStack(path: \"x\", entities: [User.self])", "write sqlite"),
    ("_ = try DataStack(url: url, entities: [User.self])", "write sqlite"),
    ("_ = try DataStack(entities: [User.self])", "say where the objects are kept"),
    (
      "_ = try DataStack(sqlite: url, entities: [User.self], durability: .immediate)",
      "a stack has none"
    ),
    ("service.transaction { User.create(in: $0) }", "each write is a transaction"),
    ("service.writeSync { _ in }.then { }", "a chain goes on with the next block"),
    ("try queue.save()", "the context saves in a block"),
    ("queue.mergePolicy = .objectTrump", "set the policy in a block"),
    ("queue.automaticallyMergesChangesFromParent = true", "set it in a block"),
    ("_ = queue.hasChanges", "ask in a block"),
    ("queue.rollback()", "write it in a block"),
    ("queue.delete(user)", "an object is deleted in a block of its context"),
    ("_ = try queue.fetch(FetchRequest(\"User\"))", "objects stay in a block"),
    ("queue.performAndWait { }", "a block gets the context"),
    ("_ = try User.all(in: queue)", "a queue lends its context to blocks"),
    (
      "_ = try User.where(\\.firstname == \"a\").count(in: queue)",
      "a queue lends its context to blocks"
    ),
    ("_ = User(context: queue)", "a queue lends its context to blocks"),
    ("_ = NSFetchRequest<User>(entityName: \"User\")", "FetchRequest(\"User\")"),
    (
      "context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy",
      "renamed to 'MergePolicy.objectTrump'"
    ),
    (
      "_ = MigrationPlan([.custom(from: One.self, to: One.self) { _ in }])",
      "write the labels of schemas"
    ),
    ("_ = MigrationPlan([.lightweight(from: One.self, to: One.self)])", "write the labels"),
    ("_ = AttributeOption.transient", "write @Transient"),
    ("_ = AttributeOption.ephemeral", "write @Transient"),
    ("_ = AttributeOption.primaryKey", "write .unique"),
    ("_ = AttributeOption.renamedFrom(\"a\")", "renamed to 'renamed(from:)'"),
    ("_ = AttributeOption.transformable(by: \"a\")", "renamed to 'transformer(named:)'"),
    ("_ = AttributeOption.encrypt", "no store encrypts"),
  ]

  static let imports = [
    ("_ = ImportMapping<User>().key(\\.firstname, \"Name\")", "write the key first"),
    ("_ = ImportSource.json(Data())", "write the label"),
    ("print(report.errors)", "renamed to 'failures'"),
    ("_ = try await service.import(User.self, from: url)", "name the format"),
    ("_ = try await service.export(User.self, as: .json, to: url)", "write a request"),
  ]

  @Test(arguments: [finders, requests, stacks, imports])
  func theFirstSentenceSaysWhatToWrite(_ mistakes: [(String, String)]) throws {
    let found = try Compiler.errors(
      in: mistakes.map(\.0),
      with: """
        _ service: DALService, _ context: ManagedObjectContext, _ queue: ContextQueue, _ user: User, \
        _ condition: FetchPredicate, _ url: URL, _ report: ImportReport, _ model: ManagedObjectModel
        """,
      after: """
        import Foundation
        import SporadesImport
        enum One: VersionedSchema { static var entities: [ManagedObject.Type] { [User.self] } }
        """)
    for (mistake, errors) in zip(mistakes, found) {
      #expect(errors.first?.contains(mistake.1) == true, "\(mistake.0): \(errors)")
    }
  }

  @Test func accessorsOfCoreDataLeadToTheCollection() throws {
    let calls = [
      ("owner.addToPets(pet)", "write pets.insert(pet)"),
      ("owner.removeFromPets(pet)", "write pets.remove(pet)"),
      ("owner.addToPets([pet])", "write pets.insert(pet)"),
      ("owner.addToTricks(trick)", "write tricks.append(trick)"),
      ("owner.removeFromTricks(trick)", "write tricks.removeAll { $0 == trick }"),
      ("owner.addToNames(\"a\")", "has no member"),
    ]
    let found = try Compiler.errors(
      in: calls.map(\.0), with: "_ owner: Owner, _ pet: Pet, _ trick: Trick",
      after: """
        @Entity final class Pet: ManagedObject { var owner: Owner? }
        @Entity final class Trick: ManagedObject { var owner: Owner? }
        @Entity class Owner: ManagedObject {
          @Relationship(deleteRule: .cascade, inverse: \\Pet.owner) var pets: Set<Pet>
          @Relationship(inverse: "owner") var tricks: [Trick]
          var names: [String] = []
        }
        """)
    for (call, errors) in zip(calls, found) {
      #expect(errors.first?.contains(call.1) == true, "\(call.0): \(errors)")
    }
  }

  /// A program that comes from Core Data may go on with accessors of its own.
  @Test func accessorsOfAProgramArePreferred() throws {
    let output = try Compiler.check(
      """
      @Entity public final class Pet: ManagedObject { public var owner: Owner? }
      @Entity public final class Owner: ManagedObject {
        @Relationship(inverse: \\Pet.owner) public var pets: Set<Pet>
        public var others: Set<Pet>
        func addToOthers(_ objects: Any) {}
      }
      extension Owner { func addToPets(_ pet: Pet) { pets.insert(pet) } }
      func add(_ pet: Pet, to owner: Owner) {
        owner.addToPets(pet)
        owner.addToOthers(pet)
      }
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }

  @Test func anotherLabelOfADeleteRuleIsRefused() throws {
    let output = try Compiler.check(
      """
      @Entity final class Pet: ManagedObject { var owner: Owner? }
      @Entity final class Owner: ManagedObject {
        @Relationship(onDelete: .cascade) var pets: Set<Pet>
      }
      """)
    #expect(output.contains("write @Relationship(deleteRule: .cascade)"), "\(output)")
  }

  @Test func aMarkOfAStructIsRefusedOnAProperty() throws {
    let output = try Compiler.check(
      """
      struct Point: Codable { var x = 0.0 }
      @Entity final class Shape: ManagedObject { @Composite var point: Point = Point() }
      """)
    let first = output.components(separatedBy: "\n").first { $0.contains(": error: ") } ?? ""
    #expect(first.contains("write '@Composite' before the struct"), "\(output)")
  }

  /// The right calls beside them, and those that became right.
  @Test func rightCallsAreFreeOfDoubt() throws {
    let output = try Compiler.check(
      """
      @Entity final class Task: ManagedObject {
        var title: String = ""
        var isDone: Bool = false
        var rank: Int = 0
        var owner: Owner?
      }
      @Entity final class Owner: ManagedObject { var tasks: Set<Task> }
      enum One: VersionedSchema { static var entities: [ManagedObject.Type] { [Task.self] } }

      func calls(_ context: ManagedObjectContext, _ reporting: ReportingContext, _ owner: Owner) throws {
        let tasks = try Task.all(in: context)
        context.delete(tasks)
        context.delete(owner.tasks)
        context.delete(owner)
        reporting.delete(tasks)
        reporting.delete(owner)
        var request = FetchRequest("Task")
        request.predicate = FetchPredicate(\\Task.rank > 3 && \\Task.isDone)
        request.predicate = FetchPredicate(\\Task.isDone)
        request.predicate = FetchPredicate { $0 is Task }
        print(try Task.average(\\.rank, in: context) as Any, request)
        print(try Task.request.average(\\.rank, in: context) as Any)
        print(try Task.request.grouped(by: \\.rank, \\.title) { $0.count }.fetch(in: context))
        print(MigrationPlan([
          .custom(
            fromVersion: One.self, toVersion: One.self, willMigrate: nil, didMigrate: { print($0) }),
          .custom(fromVersion: One.self, toVersion: One.self) { print($0) },
        ]))
      }

      func queues(_ queue: ContextQueue) async throws {
        try await queue.perform { try $0.save() }
        await queue.perform { _ in }
        queue.performAndWait { $0.rollback() }
        queue.performLater { _ in }
        let count = try await queue.perform { try Task.count(in: $0) }
        print(count)
      }
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }
}
