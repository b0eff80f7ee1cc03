// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Sporades
import Testing

@Entity final class Member: ManagedObject {
  @Attribute(.unique) var email: String = ""
  var name: String = ""
  @Relationship(deleteRule: .cascade, inverse: \Pass.member) var pass: Pass?
  @Relationship(deleteRule: .cascade, inverse: \Task.owner) var tasks: [Task]
  @Relationship(inverse: \Group.members) var groups: Set<Group>
  @Derived("tasks.@count") var taskCount: Int
}

@Entity final class Pass: ManagedObject {
  var number: Int = 0
  var member: Member?
}

@Entity class Task: ManagedObject {
  var title: String = ""
  var owner: Member?
}

@Entity final class UrgentTask: Task { var due: Date? }

@Entity final class Group: ManagedObject {
  var name: String = ""
  var members: [Member]
  var leader: Task?
}

/// Each kind of damage is made, named and, where it is mendable, mended in a copy.
@Suite struct CheckTests {
  private let folder: WorkFolder
  private let path: String
  private static let classes: [ManagedObject.Type] = [
    Member.self, Pass.self, Task.self, UrgentTask.self, Group.self,
  ]

  init() throws {
    folder = try WorkFolder()
    path = folder.path("Club.sqlite")
    let store = try SQLiteStore(path: path, model: try ManagedObjectModel(Self.classes))
    try DataStack(store: store, classes: Self.classes).newContext().performAndWait { context in
      let group = Group.create(in: context)
      for number in 1...3 {
        let member = Member.create(in: context)
        member.email = "\(number)@club"
        member.name = "Member \(number)"
        let pass = Pass.create(in: context)
        pass.number = number
        member.pass = pass
        for place in 0..<number {
          let task = place == 0 ? UrgentTask.create(in: context) : Task.create(in: context)
          task.title = "\(number).\(place)"
          member.tasks.append(task)
        }
        group.members.append(member)
        group.leader = member.tasks.first
      }
      try context.save()
    }
    try store.commit(.immediate)
    try store.close()
  }

  private func execute(_ sql: String, at path: String? = nil) throws {
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    try #require(unsafe sqlite3_open(path ?? self.path, &handle) == SQLITE_OK)
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(unsafe String(cString: sqlite3_errmsg(handle))): \(sql)")
  }

  @Test func aSoundStoreHasNoFinding() throws {
    let run = try CommandRun("check", path)
    #expect(run.output == "No damage found.\n", "\(run.errors)")
    #expect(run.status == 0)
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    let sql: String
    let kind: String
    /// The damage is gone in the copy that `--repair` writes.
    let isMended: Bool
    /// A query of the copy and its answer.
    var check: (query: String, answer: String)?

    init(
      _ sql: String, _ kind: String, mended: Bool, _ query: String? = nil, _ answer: String = ""
    ) {
      (self.sql, self.kind, isMended) = (sql, kind, mended)
      check = query.map { ($0, answer) }
    }

    var testDescription: String { sql }
  }

  private static let damages = [
    Damage(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Task'", "unreservedKey", mended: true),
    Damage(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_NAME = 'Pass'", "impossibleMaximum", mended: true
    ),
    Damage("UPDATE ZPASS SET Z_OPT = -3 WHERE Z_PK = 1", "impossibleVersion", mended: true),
    Damage(
      "UPDATE ZTASK SET ZOWNER = 99 WHERE Z_PK = 1", "missingObject", mended: true,
      "count Task where owner == nil", #"{"count":1}"#),
    Damage(
      "UPDATE ZPASS SET ZMEMBER = NULL WHERE ZNUMBER = 2", "oneSidedLink", mended: true,
      "Pass where number == 2 showing member.name", #"{"member.name":"Member 2"}"#),
    Damage(
      "UPDATE ZMEMBER SET ZPASS = NULL WHERE ZNAME = 'Member 2'", "oneSidedLink", mended: true,
      "Member where name == 'Member 2' showing pass.number", #"{"pass.number":2}"#),
    Damage(
      """
      UPDATE ZMEMBER SET ZPASS = (SELECT ZPASS FROM ZMEMBER WHERE ZNAME = 'Member 1')
      WHERE ZNAME = 'Member 2'
      """, "oneSidedLink", mended: false),
    Damage("UPDATE ZGROUP SET Z4_LEADER = 1", "wrongEntity", mended: true),
    Damage("UPDATE ZTASK SET Z_ENT = 99 WHERE Z_PK = 1", "wrongEntity", mended: false),
    Damage("UPDATE ZTASK SET ZTITLE = x'ff' WHERE Z_PK = 1", "unreadableValue", mended: false),
    Damage("UPDATE ZTASK SET ZTITLE = NULL WHERE Z_PK = 1", "missingValue", mended: false),
    Damage(
      "UPDATE ZMEMBER SET ZTASKCOUNT = 7 WHERE ZNAME = 'Member 3'", "wrongDerivedValue",
      mended: true,
      "Member where name == 'Member 3' showing taskCount", #"{"taskCount":3}"#),
    Damage(
      """
      DROP INDEX IF EXISTS Z_Member_UNIQUE_email; UPDATE ZMEMBER SET ZEMAIL = '1@club'
      """, "duplicateValue", mended: false),
    Damage(
      "UPDATE ZTASK SET Z_FOK_OWNER = 5 WHERE ZTITLE LIKE '3.%'", "sharedPosition", mended: true,
      "count Member where tasks.@count == 3", #"{"count":1}"#),
    Damage("UPDATE ZTASK SET Z_PK = -7 WHERE Z_PK = 1", "impossibleKey", mended: false),
  ]

  @Test(arguments: damages)
  func eachDamageIsNamedAndMended(_ damage: Damage) throws {
    try execute(damage.sql)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let run = try CommandRun("check", path, "--json", "--repair", folder.path("Mended.sqlite"))
    #expect(run.status == 1, "\(run.errors)")
    let report: [String: Any] = try run.json()
    let problems = try #require(report["problems"] as? [[String: Any]])
    let own = problems.filter { $0["kind"] as? String == damage.kind }
    #expect(!own.isEmpty, "\(problems)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let again = try CommandRun("check", folder.path("Mended.sqlite"), "--json")
    let left = try #require(try again.json([String: Any].self)["problems"] as? [[String: Any]])
    let stays = left.contains { $0["kind"] as? String == damage.kind }
    #expect(stays != damage.isMended, "\(left)")
    if damage.isMended { #expect(own.allSatisfy { $0["mendable"] as? Bool == true }) }
    if let (query, answer) = damage.check {
      let found = try CommandRun("query", folder.path("Mended.sqlite"), query)
      #expect(found.output == answer + "\n", "\(found.errors)")
    }
  }

  @Test func anIndexThatLacksARowIsBuiltAnew() throws {
    // Without its entry in the schema the index is not kept up; with it, it lacks the new row.
    try execute(
      """
      PRAGMA writable_schema = ON;
      CREATE TABLE KEPT AS SELECT * FROM sqlite_master WHERE name = 'ZTASK_ZOWNER_INDEX';
      DELETE FROM sqlite_master WHERE name = 'ZTASK_ZOWNER_INDEX';
      """)
    try execute("UPDATE ZTASK SET ZOWNER = 2 WHERE Z_PK = 1")
    try execute(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master SELECT * FROM KEPT;
      """)
    try execute("DROP TABLE KEPT")
    let run = try CommandRun("check", path, "--repair", folder.path("Mended.sqlite"))
    #expect(run.status == 1)
    #expect(run.output.contains("missing from index"), "\(run.output)")
    #expect(try CommandRun("check", folder.path("Mended.sqlite")).status == 0)
  }

  @Test func nothingIsReplacedWithoutAWord() throws {
    try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Task'")
    let target = folder.url.appendingPathComponent("Taken.sqlite")
    try Data("mine".utf8).write(to: target)
    let run = try CommandRun("check", path, "--repair", target.path)
    #expect(run.status == 3)
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
  }

  @Test(arguments: Fixtures.stores)
  func fixtureStoresHaveNoFindingButOne(_ path: String) throws {
    let run = try CommandRun("check", path, "--json")
    let problems = try #require(try run.json([String: Any].self)["problems"] as? [[String: Any]])
    guard path.hasSuffix("ArtsyPartner_1.4.sqlite") else {
      #expect(problems.isEmpty, "\(problems)")
      return
    }
    // Its program set the largest key to nothing: SELECT Z_MAX FROM Z_PRIMARYKEY.
    let kinds = Set(problems.compactMap { $0["kind"] as? String })
    #expect(kinds == ["unreservedKey", "impossibleMaximum"])
    var handle: OpaquePointer?
    defer { unsafe sqlite3_close_v2(handle) }
    try #require(
      unsafe sqlite3_open_v2(
        "file:\(path)?immutable=1", &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
        == SQLITE_OK)
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let sql =
      """
      SELECT typeof(Z_MAX) <> 'integer' OR Z_MAX < (SELECT MAX(Z_PK) FROM ZARTIST) FROM Z_PRIMARYKEY
      WHERE Z_NAME = 'Artist'
      """
    try #require(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
    #expect(unsafe sqlite3_column_int(statement, 0) == 1)
  }
}
