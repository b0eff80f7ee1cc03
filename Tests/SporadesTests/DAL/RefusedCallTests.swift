// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Calls from habit that the compiler refuses with one sentence, and the right calls beside them, which must
/// stay free of doubt.
@Suite(.enabled(if: Compiler.isPresent))
struct RefusedCallTests {
  private static let closure = "a store cannot run a closure; write the condition with key paths"
  private static let awaiting =
    "the block cannot await, because it holds its context until it returns"

  static let mistakes = [
    ("_ = try User.all(where: { $0.firstname == \"a\" }, in: context)", closure),
    ("_ = try User.all(in: context) { $0.firstname == \"a\" }", closure),
    ("_ = try User.first(where: { $0.firstname == \"a\" }, in: context)", closure),
    ("_ = try User.count(where: { $0.firstname == \"a\" }, in: context)", closure),
    ("try User.deleteAll(where: { $0.firstname == \"a\" }, in: context)", closure),
    ("_ = User.filter { $0.firstname == \"a\" }", "a class is no sequence of its objects"),
    ("_ = User.where { $0.firstname == \"a\" }", closure),
    ("_ = User.where(\"name == '\\(context)'\")", "a format is written in the program"),
    (
      "_ = User.where(\\.firstname == \"a\", in: context)",
      "the context stands in the verb at the end"
    ),
    ("_ = User.filter(\\.firstname == \"a\")", "renamed to 'where(_:)'"),
    ("_ = User.request.filter { $0.firstname == \"a\" }", closure),
    ("_ = User.request.order(by: \\.firstname)", "renamed to 'sorted(by:)'"),
    ("_ = User.request.sorted { $0.firstname! < $1.firstname! }", "a store cannot run a closure"),
    ("_ = User.request.skip(3).take(2)", "renamed to 'offset(_:)'"),
    ("_ = try User.request.all(in: context)", "renamed to 'fetch(in:)'"),
    ("_ = try User.request.fetch(context)", "renamed to 'fetch(in:)'"),
    ("_ = try User.request.fetchOne(context)", "renamed to 'first(in:)'"),
    ("_ = try User.request.last(in: context)", "turn the order round"),
    ("_ = User.request.map { $0.firstname }", "a request has no objects until it is fetched"),
    ("_ = User.request.fetch(in: service)", "a service has no objects of its own"),
    ("_ = try User.request.pluck(\"firstname\", in: context)", "write the key path"),
    ("_ = try User.sum(\"age\", in: context)", "write the key path"),
    ("_ = User.request.grouped(by: \\.firstname)", "say what to compute of each group"),
    (
      "try User.delete(where: \\.firstname == \"a\", in: context)",
      "renamed to 'deleteAll(where:in:)'"
    ),
    ("_ = try User.all(sortedBy: .desc(\\.firstname), in: context)", "renamed to 'descending(_:)'"),
    ("_ = ManagedObjectContext()", "a context belongs to a stack"),
    ("service.save()", "a write saves when its block ends"),
    ("context.delete(User.self)", "write User.deleteAll(in: context)"),
    (
      "if DALError(.closed, during: .read).code == .closed { }", "a code carries its cause"
    ),
    ("_ = try User.all(where: \"firstname == 'a'\", in: context)", "FetchPredicate(format:"),
    ("_ = try User.first(where: \"firstname == 'a'\", in: context)", "FetchPredicate(format:"),
    ("service.writeSync { context in await Task.yield() }", awaiting),
    ("service.writeAsync { context in await Task.yield() }", awaiting),
    ("try await service.read { context in await Task.yield() }", awaiting),
    ("try await service.write { context in await Task.yield() }", awaiting),
    ("let n: Int = service.writeSync { _ in 3 }", "a chained write returns its chain and no value"),
    (
      "let n = service.writeSync { User.create(in: $0); return 3 }",
      "a chained write returns its chain"
    ),
    ("_ = User.where(\\.firstname == \"a\").count", "a verb takes a context: count(in: context)"),
    ("_ = User.where(\\.firstname == \"a\").first", "a verb takes a context: first(in: context)"),
    ("_ = User.request.isEmpty", "a verb takes a context: !exists(in: context)"),
    ("_ = try User.page(in: context)", "a page needs an order and a length"),
    ("_ = try User.pluck(\\.firstname, in: context)", "begin with the request"),
    ("_ = try User.ids(in: context)", "begin with the request"),
    ("_ = try User.exists(in: context)", "begin with the request"),
    ("_ = User.grouped(by: \\.firstname) { $0.count }", "begin with the request"),
    ("_ = User.offset(3)", "begin with the request"),
    ("_ = User.find(3)", "write all(where:in:) or first(where:in:)"),
    ("_ = try User.find(3, in: context)", "an object has no number"),
    ("_ = try User.fetchOne(context, key: 3)", "write first(where: \\.number == 3, in: context)"),
    ("try User.create(in: context).insert(context)", "an object is in its context"),
    ("User.create(in: context).destroy()", "renamed to 'delete(in:)'"),
    ("_ = User.where(\\.firstname == \"a\").first(5)", "renamed to 'limit(_:)'"),
    (
      "for try await users in service.observe(User.request) { print(users.count) }",
      "observe(request, mapping:"
    ),
    ("_ = try User.find(where: \\.firstname == \"a\", in: context)", "write all(where:in:)"),
    ("_ = try User.fetch(in: context)", "write all(where:in:)"),
    ("_ = User()", "an object lives in a context; write User.create(in: context)"),
    ("_ = User.all(in: service)", "a service has no objects of its own"),
    ("_ = User.first(in: service)", "a service has no objects of its own"),
    ("_ = User.count(in: service)", "a service has no objects of its own"),
    ("_ = User.create(in: service)", "a service has no objects of its own"),
    ("_ = context.create(User.self)", "write User.create(in: context), with the class in front"),
    ("context.insert(User.create(in: context))", "an object is in its context from its making"),
    ("_ = context.fetch(User.self)", "write User.all(in: context)"),
    ("service.read { print($0.fetch(User.self)) }", "write User.all(in: context)"),
    ("_ = User.fetchRequest()", "write all(where:sortedBy:in:)"),
    ("_ = User.fetchOne(context)", "write first(where:in:)"),
    (
      "_ = try User.firstOrCreate(where: \\.firstname == \"a\", in: context)",
      "firstOrCreate sets the value by which it looks"
    ),
    (
      "_ = try User.all(where: \\.firstname == \"a\", \\.lastname == \"b\", in: context)",
      "join the conditions with &&"
    ),
    (
      "_ = try User.all(sortedBy: \\.firstname, .descending, in: context)",
      "write the direction around the key path"
    ),
    ("_ = AttributeOption.maxLength(20)", "write the lengths as a range: .length(...20)"),
    ("_ = AttributeOption.default(3)", "give the property its default"),
    ("let rule: DeleteRule = .setNull; _ = rule", "renamed to 'nullify'"),
    ("let rule: DeleteRule = .restrict; _ = rule", "renamed to 'deny'"),
    (
      "_ = try ManagedObjectModel(entities: [User.self])", "write ManagedObjectModel([User.self])"
    ),
    (
      "class Mine: DALService { override func handleError(_ error: any Error) {} }",
      "override func handleError(_ error: DALError)"
    ),
  ]

  /// The number of diagnostics of a kind. The compiler repeats each below the line it concerns.
  private func count(of kind: String, in output: String) -> Int {
    output.components(separatedBy: "\n").count { $0.contains(kind) }
  }

  @Test func oneSentenceLeadsToTheRightCall() throws {
    let found = try Compiler.errors(
      in: Self.mistakes.map(\.0), with: "_ service: DALService, _ context: ManagedObjectContext",
      after: "import Foundation")
    for (mistake, errors) in zip(Self.mistakes, found) {
      #expect(errors.contains { $0.contains(mistake.1) }, "\(mistake.0): \(errors)")
    }
  }

  /// Each set of overloads has a right form here, in a context that throws and in one that reports.
  @Test func rightCallsAreFreeOfDoubt() throws {
    let output = try Compiler.check(
      """
      import Foundation
      import SporadesExplaining
      @Entity final class Task: ManagedObject {
        var title: String = ""
        var isDone: Bool = false
        var rank: Int = 0
        var due: Date?
      }

      func finders(_ context: ManagedObjectContext) throws {
        let done = try Task.all(where: \\.isDone, in: context)
        let open = try Task.all(where: !\\.isDone && \\.rank > 3, sortedBy: \\.rank, in: context)
        let texts = try Task.all(where: FetchPredicate(format: "rank > 3"), in: context)
        let late = try Task.all(in: context).filter { $0.rank > 3 }.first { $0.isDone }
        for task in try Task.all(in: context) { print(task.title) }
        let first = try Task.first(where: \\.isDone, in: context)
        let same = try Task.first(where: \\.title == "a" || \\.rank == 2, in: context)
        let count = try Task.count(where: \\.isDone, in: context) + Task.count(in: context)
        try Task.deleteAll(where: \\.isDone, in: context)
        try Task.deleteAll(where: \\.rank < 2, in: context)
        print(done.count, open, texts, late as Any, first as Any, same as Any, count)
      }

      func batches(_ service: DALService, _ task: Task) throws {
        service.writeSync { context in
          try context.execute(Task.where(\\.rank > 5).delete())
          try context.execute(Task.where(\\.rank > 5).update(\\.rank, to: 3))
          print(try context.insert(entityNamed: "Task"), try context.fetch(FetchRequest("Task")))
          print(try context.aggregate(.sum, of: "rank", FetchRequest("Task")))
          print(try context.fetchIDs(FetchRequest("Task")), try context.explain(FetchRequest("Task")))
          print(context.deletePlan(for: [task]), Task(context: context))
        }
        _ = service.observe(Task.request) { $0.map(\\.rank) }
        _ = service.observe(count: Task.request)
      }

      func sync(_ service: DALService) throws {
        var names: [String] = []
        service.read { names = Task.all(where: \\.isDone, in: $0).map(\\.title) }
        service.read { context in
          for task in Task.all(in: context) where task.rank > 2 { names.append(task.title) }
        }
        service.writeSync { Task.create(in: $0) }
        service.writeSync(durability: .immediate) { Task.create(in: $0).title = "b" }.read { _ in }
        let chain = service.writeSync { context in
          let task = Task.create(in: context)
          task.title = "a"
        }
        try chain.get()
        service.writeAsync { Task.create(in: $0) }
        print(try service.readValue { try Task.count(in: $0) }, names)
      }

      func async(_ service: DALService) async throws {
        service.writeSync { Task.create(in: $0).title = "b" }
        let titles = try await service.read { try Task.all(in: $0).map(\\.title) }
        let count = try await service.write { context in
          Task.create(in: context)
          return try Task.count(in: context)
        }
        try await service.write(durability: .immediate) { Task.create(in: $0).rank = 3 }
        try await service.read { _ in }
        let queue = try service.stack().newContext()
        await queue.perform { Task.create(in: $0).rank = 3 }
        try await queue.perform { try $0.save() }
        print(titles, count, try await queue.perform { try Task.count(in: $0) })
      }
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }

  /// A mark on a property of the wrong type is one mistake.
  @Test(arguments: [
    "var point: Point", "var coded: Coded?", "var name: String", "var kind: Kind",
    "var points: [Point]",
    "var tags: [String]", "var users: Set<User>?", "var date: Date",
  ])
  func aRelationshipOfValuesIsOneError(property: String) throws {
    let output = try Compiler.check(
      """
      import Foundation
      struct Point { var x = 0.0 }
      struct Coded: Codable { var x = 0.0 }
      enum Kind: String { case a, b }
      @Entity final class A: ManagedObject { @Relationship \(property) }
      """)
    #expect(count(of: ": error: ", in: output) == 1, "\(output)")
    #expect(output.contains("relationship leads to"), "\(output)")
  }

  @Test func aClassAsAValueIsAWarning() throws {
    let output = try Compiler.check(
      """
      import Foundation
      final class Settings: Codable { var size = 1 }
      struct Colour: Codable { var red = 1 }
      @Entity final class A: ManagedObject {
        var settings: Settings?
        var colour: Colour?
      }
      """)
    #expect(!output.contains("error:"), "\(output)")
    #expect(count(of: ": warning: ", in: output) == 1, "\(output)")
    #expect(output.contains("a change inside the object of a class is not noticed"), "\(output)")
  }
}
