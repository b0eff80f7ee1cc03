// SPDX-License-Identifier: MIT
import Foundation
import Testing

// The promises of the compiler. The programs of the seeds must compile in Swift 6 mode, and a program that
// carries an object out of its context must not.
@Suite(.enabled(if: Compiler.isPresent))
struct CompileTimeTests {
  @Test func theSnippetsOfTheSeedsCompile() throws {
    let output = try Compiler.check(
      """
      final class Seeds: DALService, @unchecked Sendable {
        static let shared = Seeds(inMemory: [User.self])
        override func handleError(_ error: DALError) { print(error) }
      }

      func seeds() throws {
        var user: User?
        var count = 0
        Seeds.shared
          .writeSync { context in
            let john = User.create(in: context)
            john.firstname = "John"
            user = john.inContext(context)
          }
          .writeSync { context in user?.inContext(context)?.delete(in: context) }
          .read { context in count = User.count(in: context) }
        try Seeds.shared.writeSync { context in User.deleteAll(in: context) }.get()
        Seeds.shared.writeAsync { context in User.create(in: context) }
        Seeds.shared.writeSync(
          { context in User.create(in: context) }, completion: { error in print(error ?? "saved") })
        Seeds.shared.writeAsync(
          { context in User.create(in: context) }, completion: { error in print(error ?? "saved") })
        Seeds.shared.read { context in
          let users = User.all(where: \\.firstname == "John", sortedBy: "lastname:NO,firstname", in: context)
          print(users.count, count)
        }
      }

      func values(_ reader: any QueryModel, _ writer: any CommandModel) async throws -> [String?] {
        try await writer.write { context in User.create(in: context).firstname = "a" }
        return try await reader.read { context in try User.all(in: context).map(\\.firstname) }
      }
      """)
    #expect(!output.contains("error:"), "\(output)")
  }

  /// Calls of finders, and the words with which the compiler refuses them.
  static let mistakes = [
    ("try service.readValue { context in User.count(in: context) }", "not marked with 'try'"),
    ("try service.readValue { User.max(\\.lastname, in: $0) }", "not marked with 'try'"),
    ("service.read { context in _ = try User.all(in: context) }", "no calls to throwing functions"),
    ("service.read { User.all(where: \\.firstname == 3, in: $0).forEach { print($0) } }", "'Int'"),
    ("service.writeSync { context in context.undo() }", "cannot refer to instance method 'undo()'"),
    ("service.read { _ in print(User.count(in: 3)) }", "cannot convert value of type 'Int'"),
  ]

  @Test(arguments: mistakes)
  func aWrongCallOfAFinderIsRefusedInPlainWords(_ call: String, words: String) throws {
    let output = try Compiler.check(
      "func ask(_ service: DALService) throws {\n\(call)\n}\n")
    #expect(output.contains(words), "\(output)")
  }

  @Test func findersAreFoundWithoutHelp() throws {
    let output = try Compiler.check(
      """
      extension User {
        static func does<Context: FinderContext>(
          in context: Context
        ) throws(Context.Failure) -> [String?] {
          try all(where: \\.lastname == "Doe", in: context).map(\\.firstname)
        }
      }

      func find(_ service: DALService, _ queue: ContextQueue) async throws {
        func chain() {
          var names: [String?] = []
          service
            .read { names = User.does(in: $0) }
            .read { context in for user in User.all(in: context) { names.append(user.lastname) } }
            .read { print(User.all(sortedBy: \\.lastname, in: $0).map { $0.firstname ?? "" }, names) }
            .writeSync { User.first(where: \\.firstname == "a", in: $0)?.delete(in: $0) }
            .writeSync { context in
              let user = User.firstOrCreate(\\.firstname, equalTo: "a", in: context)
              user.lastname = User.max(\\.lastname, in: context)
            }
        }
        chain()
        print(try await service.read { try User.does(in: $0) })
        print(try await queue.perform { try User.first(in: $0)?.firstname as String? } as Any)
        print(queue.performAndWait { (try? User.count(in: $0)) ?? 0 })
        let count = try queue.performAndWait { context in
          let users = try User.all(where: \\.lastname != "Doe", in: context)
          return try users.count + User.count(in: context)
        }
        print(count)
      }
      """)
    #expect(!output.contains("error:") && !output.contains("warning:"), "\(output)")
  }

  static let leaks = [
    // An object as the value of an asynchronous block.
    "func leak() async throws { _ = try await service.read { try User.first(in: $0) } }",
    "func leak() async throws { _ = try await service.write { User.create(in: $0) } }",
    // A context as the value.
    "func leak() async throws { _ = try await service.read { $0 } }",
    // A variable around the block.
    """
    func leak() {
      var user: User?
      service.writeAsync { context in user = User.create(in: context) }
      print(user as Any)
    }
    """,
    // An object of one block in an asynchronous one.
    """
    func leak() {
      var found: User?
      service.read { context in found = User.first(in: context) }
      let user = found
      service.writeAsync { context in user?.delete(in: context) }
    }
    """,
    // An object into a task.
    """
    func leak() {
      service.read { context in
        let user = User.first(in: context)
        Task.detached { print(user?.firstname ?? "") }
      }
    }
    """,
  ]

  @Test(arguments: leaks)
  func anObjectDoesNotLeaveItsBlock(_ leak: String) throws {
    let output = try Compiler.check("let service = DALService(inMemory: [User.self])\n" + leak)
    let isRefused =
      output.contains("Sendable") || output.contains("captured var") || output.contains("data race")
    #expect(output.contains("error:") && isRefused, "\(output)")
  }
}
