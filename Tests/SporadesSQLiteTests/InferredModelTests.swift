// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

/// A store without a model is read by its tables alone, and never written.
@Suite struct InferredModelTests {
  /// A store with rows, whose model is taken away, and which is changed by plain SQL then.
  private func store(changedBy sql: String = "") throws -> URL {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let stack = DataStack(store: try SQLiteStore(url: url, model: Sample.model))
    try stack.newContext().performAndWait { context in
      let (john, jane) = (
        try context.insert(entityNamed: "Person"), try context.insert(entityNamed: "Employee")
      )
      (john["name"], jane["name"], jane["salary"]) = ("John", "Jane", 9)
      john["born"] = .date(Date(timeIntervalSinceReferenceDate: 1.5))
      let (rex, small) = (
        try context.insert(entityNamed: "Pet"), try context.insert(entityNamed: "Tag")
      )
      rex.setObject(jane, forKey: "owner")
      jane.setObjects([small], forKey: "tags")
      john.setObjects([jane], forKey: "friends")
      try context.save()
    }
    try stack.store.close()
    try change(url, "DROP TABLE Z_MODELCACHE; " + sql)
    return url
  }

  private func change(_ url: URL, _ sql: String) throws {
    let database = unsafe try StoreFixture.database(url.path)
    defer { unsafe sqlite3_close(database) }
    unsafe try SQLRows.run(database, sql)
    unsafe try SQLRows.run(database, "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test func entitiesAndAttributesHaveTheNamesAndTypesOfTheTables() throws {
    let found = try StoreModel(ofStoreAt: store())
    #expect(found.source == .tables(reason: "The store carries no model."))
    #expect(found.isReadOnly)
    let model = found.model
    #expect(model.entitiesByName.keys.sorted() == ["Employee", "Person", "Pet", "Tag"])
    #expect(model.entitiesByName["Employee"]?.superentityName == "Person")
    let types = Dictionary(
      uniqueKeysWithValues: (model.entitiesByName["Person"]?.attributes ?? []).map {
        ($0.name, $0.type)
      })
    #expect(
      types == [
        "NAME": .string, "AGE": .integer64, "HEIGHT": .double, "WEALTH": .decimal, "BORN": .date,
        "ISADULT": .integer64, "CODE": .binary, "PAGE": .string, "EMAIL": .string, "PHOTO": .binary,
        "SALARY": .integer64,
      ])
    #expect(model.entitiesByName["Employee"]?.attributes == [])
    #expect(found.warnings == [])
  }

  /// An owner with subentities has a second column, and a join names both its sides; nothing else can be told.
  @Test func relationshipsAreToldWhereANameHoldsTheirEntity() throws {
    let model = try StoreModel(ofStoreAt: store()).model
    let pet = model.entitiesByName["Pet"]?.relationships
    #expect(pet?.map(\.name) == ["OWNER"])
    #expect(pet?.map(\.destinationEntityName) == ["Person"])
    #expect(pet?.map(\.isToMany) == [false])
    let person = try #require(model.entitiesByName["Person"])
    #expect(person.relationships.map(\.name).sorted() == ["FRIENDS", "TAGS"])
    let tags = try #require(person.relationships.first { $0.name == "TAGS" })
    #expect((tags.destinationEntityName, tags.inverseName) == ("Tag", "PERSONS"))
    #expect(tags.isOrdered)
    let friends = try #require(person.relationships.first { $0.name == "FRIENDS" })
    #expect((friends.destinationEntityName, friends.inverseName) == ("Person", "FRIENDS"))
    #expect(model.entitiesByName["Tag"]?.relationships.map(\.isOrdered) == [false])
  }

  @Test func aColumnOfKeysIsANumberWhereTheDestinationCannotBeTold() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Book", relationships: [.toOne("shelf", "Shelf", inverse: "books")]),
      EntityDescription("Shelf", relationships: [.toMany("books", "Book", inverse: "shelf")]),
    ])
    try SQLiteStore(url: url, model: model).close()
    try change(url, "DROP TABLE Z_MODELCACHE")
    let found = try StoreModel(ofStoreAt: url).model
    #expect(found.entitiesByName["Book"]?.attributes.map(\.name) == ["SHELF"])
    #expect(found.entitiesByName["Book"]?.attributes.map(\.type) == [.integer64])
    #expect(found.entities.flatMap(\.relationships) == [])
  }

  /// Its column in the table of the members tells the owner.
  @Test func aToManyRelationshipWithoutAnInverseIsTold() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Recipe", relationships: [.toMany("steps", "Step", isOrdered: true)]),
      EntityDescription(
        "Step", attributes: [AttributeDescription("text", .string, isOptional: true)]),
    ])
    let stack = DataStack(store: try SQLiteStore(url: url, model: model))
    try stack.newContext().performAndWait { context in
      let recipe = try context.insert(entityNamed: "Recipe")
      let steps = try ["cut", "cook"].map { text in
        let step = try context.insert(entityNamed: "Step")
        step["text"] = .string(text)
        return step
      }
      recipe.setObjects(steps, forKey: "steps")
      try context.save()
    }
    try stack.store.close()
    try change(url, "DROP TABLE Z_MODELCACHE")
    let store = try SQLiteStore(openingStoreAt: url)
    try DataStack(store: store).newContext().performAndWait { context in
      let recipe = try #require(try context.fetch(FetchRequest("Recipe")).first)
      #expect(recipe.objects(forKey: "STEPS").map { $0["TEXT"] } == ["cut", "cook"])
    }
    try store.close()
  }

  @Test func objectsAreReadByTheNamesOfTheTables() throws {
    let store = try SQLiteStore(openingStoreAt: store())
    try DataStack(store: store).newContext().performAndWait { context in
      let john = try #require(
        try context.fetch(FetchRequest("Person", where: FetchPredicate(format: "NAME == 'John'")))
          .first)
      #expect(john["BORN"] == .date(Date(timeIntervalSinceReferenceDate: 1.5)))
      #expect(john.objects(forKey: "FRIENDS").map { $0["NAME"] } == ["Jane"])
      let pet = try #require(
        try context.fetch(
          FetchRequest("Pet", where: FetchPredicate(format: "OWNER.NAME == 'Jane'"))
        ).first)
      #expect(pet.object(forKey: "OWNER")?.entity.name == "Employee")
      #expect(pet.object(forKey: "OWNER")?["SALARY"] == 9)
    }
    try store.close()
  }

  // MARK: - Only reading

  @Test func aSaveIsRefusedWithTheReasonAndTheRemedy() throws {
    let url = try store()
    let store = try SQLiteStore(openingStoreAt: url)
    try DataStack(store: store).newContext().performAndWait { context in
      try context.fetch(FetchRequest("Pet")).first?["NAME"] = "Tom"
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .readOnly)
      let detail = error?.detail ?? ""
      #expect(detail.contains("by its tables alone"))
      #expect(detail.contains("The store carries no model."))
      #expect(detail.contains("open it with the model of the program"))
    }
    try store.close()
  }

  /// Neither the file changes, nor is one made beside it, whether a log lies beside the file or not.
  @Test(arguments: [false, true]) func nothingIsLeftBesideTheFile(hasLog: Bool) throws {
    let url = try store()
    let folder = url.deletingLastPathComponent()
    if hasLog { try leaveALog(url) }
    let before = try contents(of: folder)
    let store = try SQLiteStore(openingStoreAt: url)
    try DataStack(store: store).newContext().performAndWait { context in
      #expect(try context.count(FetchRequest("Person")) == (hasLog ? 3 : 2))
      #expect(try contents(of: folder) == before)
      context.delete(try #require(try context.fetch(FetchRequest("Person")).first))
      #expect(throws: StoreError.self) { try context.save() }
    }
    try store.close()
    #expect(try contents(of: folder) == before)
  }

  /// A log that its process did not move into the file, and no index beside it.
  private func leaveALog(_ url: URL) throws {
    let database = unsafe try StoreFixture.database(url.path)
    unsafe try SQLRows.run(
      database,
      "PRAGMA journal_mode = WAL; INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) SELECT 99, Z_ENT, 1 FROM ZPERSON LIMIT 1"
    )
    let log = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
    let file = try Data(contentsOf: url)
    unsafe sqlite3_close(database)
    try file.write(to: url)
    try log.write(to: URL(fileURLWithPath: url.path + "-wal"))
  }

  /// Only a writing connection could undo the change. The call promises to read, so it refuses, and says what to do.
  @Test func anUnfinishedChangeIsLeftAlone() throws {
    let url = try store()
    let copy = URL(fileURLWithPath: Sample.temporaryPath())
    let database = unsafe try StoreFixture.database(url.path)
    unsafe try SQLRows.run(
      database,
      "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE ZPET SET ZNAME = 'Tom'; "
        + "CREATE TABLE LARGE (A); INSERT INTO LARGE VALUES (randomblob(200000))")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    unsafe sqlite3_close(database)
    let folder = copy.deletingLastPathComponent()
    let before = try contents(of: folder)
    let error = #expect(throws: StoreError.self) { try SQLiteStore(openingStoreAt: copy) }
    #expect(error?.code == .readOnly)
    #expect(error?.detail.contains("once with the program sqlite3") == true)
    #expect(try contents(of: folder) == before)
  }

  private func contents(of folder: URL) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try Data(contentsOf: folder.appendingPathComponent(name))
    }
    return contents
  }

  @Test func aChangeByAnotherProcessIsNoticed() throws {
    let url = try store()
    let store = try SQLiteStore(openingStoreAt: url)
    try change(url, "UPDATE ZPET SET ZNAME = 'Tom'")
    let shape = try #require(store.model.shape(named: "Pet"))
    let error = #expect(throws: StoreError.self) {
      try store.rows(StoreFetch(shape), in: .committed)
    }
    #expect(error?.code == .moved)
    try store.close()
  }

  // MARK: - Two sources that disagree

  @Test func aCarriedModelThatTheTablesContradictIsNotTaken() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    try SQLiteStore(url: url, model: Sample.model).close()
    try change(url, "ALTER TABLE ZPET RENAME COLUMN ZNAME TO ZTITLE")
    let found = try StoreModel(ofStoreAt: url)
    #expect(
      found.source
        == .tables(
          reason:
            "The model that the store carries disagrees with its tables. The store has no column ZPET.ZNAME."
        ))
    // The place of a pet among its owner's is a number.
    #expect(
      found.model.entitiesByName["Pet"]?.attributes.map(\.name).sorted() == ["TITLE", "_FOK_OWNER"])
  }

  @Test func aCarriedModelWithOtherHashesIsNotTaken() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    try SQLiteStore(url: url, model: Sample.model).close()
    try SQLiteStore.setMetadata(
      ["NSStoreModelVersionHashes": .dictionary(["Pet": .data(Array(repeating: 1, count: 32))])],
      ofStoreAt: url)
    guard case .tables(let reason) = try StoreModel(ofStoreAt: url).source else {
      Issue.record("The model was taken.")
      return
    }
    #expect(reason.contains("is not the one that wrote it"))
    #expect(reason.contains("both differ in Pet"))
  }

  @Test func aCarriedModelThatCannotBeReadIsNotTaken() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    try SQLiteStore(url: url, model: Sample.model).close()
    try change(url, "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00112233'")
    guard case .tables(let reason) = try StoreModel(ofStoreAt: url).source else {
      Issue.record("The model was taken.")
      return
    }
    #expect(reason.contains("cannot be read"))
  }

  @Test func aStoreOfOneConfigurationIsOpenedWithIt() throws {
    let url = URL(fileURLWithPath: Sample.temporaryPath())
    let model = try ManagedObjectModel(
      entities: [EntityDescription("A"), EntityDescription("B")],
      configurations: ["First": ["A"], "Second": ["B"]])
    var options = SQLiteStoreOptions()
    options.configuration = "Second"
    try SQLiteStore(url: url, model: model, options: options).close()
    let found = try StoreModel(ofStoreAt: url)
    #expect(found.source == .cached)
    #expect(found.configuration == "Second")
    let store = try SQLiteStore(openingStoreAt: url)
    #expect(store.configurationName == "Second")
    try store.close()
  }
}
