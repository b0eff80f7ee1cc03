// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Damage in single cells of a file is named with the object and the property.
@Suite struct IntegrityProblemTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let sql: String
    let kind: IntegrityProblem.Kind
    let entity: String?
    let property: String?

    init(
      _ sql: String, _ kind: IntegrityProblem.Kind, _ entity: String? = "Animal",
      _ property: String? = nil
    ) {
      (self.sql, self.kind, self.entity, self.property) = (sql, kind, entity, property)
    }

    var testDescription: String { sql }
  }

  private static func animal(
    _ column: String, _ value: String, _ property: String,
    _ kind: IntegrityProblem.Kind = .unreadableValue
  ) -> Damage {
    Damage("UPDATE ZANIMAL SET \(column) = \(value) WHERE Z_PK = 1", kind, "Animal", property)
  }

  private static let damages = [
    animal("ZNUMBER", "'garbage'", "number"), animal("ZNUMBER", "3000000000", "number"),
    animal("ZSMALL", "99999999", "small"), animal("ZSMALL", "1.5", "small"),
    animal("ZMARK", "1e300", "mark"), animal("ZHEIGHT", "'tall'", "height"),
    animal("ZWEIGHT", "x'00'", "weight"), animal("ZPRICE", "'abc'", "price"),
    animal("ZBORN", "'never'", "born"), animal("ZISGOOD", "'yes'", "isGood"),
    animal("ZCODE", "x'0102'", "code"), animal("ZNAME", "x'ff00fe'", "name"),
    animal("ZNAME", "CAST(x'ff00fe' AS TEXT)", "name"), animal("ZPAGE", "''", "page"),
    animal("ZPHOTO", "x'0203'", "photo"), animal("ZNAME", "NULL", "name", .missingValue),
    animal(
      "ZPHOTO", "CAST(char(2) || '01234567-89AB-CDEF-0123-456789ABCDEF' || char(0) AS BLOB)",
      "photo", .missingFile),
    animal("ZOWNER", "999", "owner", .missingObject), animal("ZOWNER", "'Ada'", "owner"),
    animal("ZFRIEND", "999", "friend", .missingObject),
    Damage("UPDATE ZANIMAL SET Z1_FRIEND = 77 WHERE Z_PK = 2", .wrongEntity, "Dog", "friend"),
    animal("Z_OPT", "'x'", "", .impossibleVersion), animal("Z_OPT", "NULL", "", .impossibleVersion),
    animal("Z_OPT", "-1", "", .impossibleVersion),
    animal("Z_ENT", "77", "", .wrongEntity), animal("Z_ENT", "'x'", "", .wrongEntity),
    Damage("UPDATE ZANIMAL SET Z_PK = -7 WHERE Z_PK = 3", .impossibleKey, nil),
    Damage("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Animal'", .unreservedKey),
    Damage("UPDATE Z_PRIMARYKEY SET Z_MAX = 'x' WHERE Z_NAME = 'Animal'", .impossibleMaximum, nil),
    Damage(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 << 62 WHERE Z_NAME = 'Animal'", .impossibleMaximum, nil),
  ]

  @Test(arguments: damages)
  func eachIsNamed(_ damage: Damage) throws {
    let kennel = try Kennel()
    #expect(try kennel.problems() == [])
    let isDone = try kennel.run(damage.sql)
    try #require(isDone)
    let found = try kennel.problems()
    let property = damage.property == "" ? nil : damage.property
    #expect(
      found.contains {
        $0.kind == damage.kind && $0.property == property
          && $0.objectID?.entityName == damage.entity
      }, "\(found)")
    // Nothing of a row is in a sentence.
    #expect(found.allSatisfy { !"\($0)".contains("garbage") })
  }

  @Test func linksThatLeadNowhereNameTheOtherSide() throws {
    let kennel = try Kennel()
    let table = try #require(
      try PlainStore(kennel.path).rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z_%TAGS'"
      ).first?.first)
    guard case .text(let join) = table else { throw CancellationError() }
    let columns = try PlainStore(kennel.path).rows("SELECT name FROM pragma_table_info('\(join)')")
    guard case .text(let tags)? = columns.first(where: { "\($0)".contains("TAGS") })?.first else {
      throw CancellationError()
    }
    let isDone = try kennel.run("UPDATE \(join) SET \(tags) = 999 WHERE rowid = 1")
    try #require(isDone)
    let found = try kennel.problems()
    #expect(found.map(\.kind) == [.missingObject])
    #expect(found.first?.property == "tags")
    #expect(found.first?.objectID != nil)
  }

  @Test func theTextsCountWhatIsAlike() throws {
    let kennel = try Kennel()
    let isDone = try kennel.run("UPDATE ZANIMAL SET ZNUMBER = 'x', Z_OPT = 'y' WHERE Z_PK < 3")
    try #require(isDone)
    let store = try kennel.open()
    let texts = try store.integrityProblems()
    #expect(texts.contains("2 values in ZANIMAL.ZNUMBER are none of the property's type."))
    #expect(texts.count == 2, "\(texts)")
    try store.close()
  }

  @Test func aThousandTextsSayHowManyProblemsTheyLeaveOut() throws {
    let names = (0..<1_010).map { "number\($0)" }
    let wide = EntityDescription(
      "Wide", attributes: names.map { AttributeDescription($0, .integer32, isOptional: true) })
    let model = try ManagedObjectModel(entities: [wide])
    let path = Sample.temporaryPath()
    let stack = DataStack(store: try SQLiteStore(path: path, model: model))
    try stack.look { context throws in
      try context.make("Wide")
      try context.save()
    }
    try stack.store.close()
    let columns = names.map { "Z\($0.uppercased()) = 'x'" }.joined(separator: ", ")
    try PlainStore(path).run("UPDATE ZWIDE SET \(columns)")
    let store = try SQLiteStore(path: path, model: model)
    let texts = try store.integrityProblems()
    #expect(texts.count == 1_001)
    #expect(texts.last?.hasPrefix("10 more problems are left out.") == true)
    try store.close()
  }

  @Test func anErrorOfTheBlockEndsTheCheck() throws {
    let kennel = try Kennel()
    let isDone = try kennel.run("UPDATE ZANIMAL SET ZNUMBER = 'x'")
    try #require(isDone)
    let store = try kennel.open()
    var count = 0
    let error = #expect(throws: StoreError.self) {
      try store.forEachIntegrityProblem { _ throws(StoreError) in
        count += 1
        throw StoreError(.corrupt, "enough")
      }
    }
    #expect(error?.detail.contains("enough") == true)
    #expect(count == 1)
    try store.close()
  }
}
