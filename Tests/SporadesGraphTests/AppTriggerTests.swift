// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Triggers that an app added to its file change what a save wrote, and objects show it.
@Suite struct AppTriggerTests {
  private static let triggers = [
    "shout AFTER INSERT ON ZPERSON BEGIN UPDATE ZPERSON SET ZNAME = upper(ZNAME) WHERE Z_PK = NEW.Z_PK; "
      + "END",
    "shoutAgain AFTER UPDATE OF ZNAME ON ZPERSON BEGIN UPDATE ZPERSON SET ZNAME = upper(ZNAME) WHERE "
      + "Z_PK = NEW.Z_PK; END",
    "older AFTER INSERT ON ZDOG BEGIN UPDATE ZPERSON SET ZAGE = ZAGE + 1 WHERE Z_PK = NEW.ZOWNER; END",
    "forget AFTER DELETE ON ZDOG BEGIN DELETE FROM ZNOTE; END",
  ]

  private func open(
    _ folder: TemporaryFolder, _ model: ManagedObjectModel = People.model, triggers: [String]
  ) throws -> SQLiteStore {
    let url = folder.url.appendingPathComponent("People.sqlite")
    try SQLiteStore(url: url, model: model).close()
    try OtherProgram.run(triggers.map { "CREATE TRIGGER \($0)" }, on: url)
    return try SQLiteStore(url: url, model: model)
  }

  private func stack(_ folder: TemporaryFolder) throws -> DataStack {
    DataStack(store: try open(folder, triggers: Self.triggers), classes: People.classes)
  }

  @Test func theSavedObjectShowsWhatATriggerMadeOfIt() throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      #expect(ann.name == "ANN")
      ann.name = "Anna"
      ann.age = 7
      try context.save()
      #expect(ann.name == "ANNA")
      #expect(ann.age == 7)
      #expect(!context.hasChanges)
    }
    try stack.store.close()
  }

  @Test func otherRowsThatATriggerChangesAreShownAnew() throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    try stack.newContext().performAndWait { context in
      let (ann, bob) = (Person.make("Ann", in: context), Member.make("Bob", in: context))
      try context.save()
      Dog.create(in: context).owner = ann
      Dog.create(in: context).owner = bob
      try context.save()
      #expect(ann.age == 1)
      #expect(bob.age == 1)
      #expect(ann.dogs.count == 1)
    }
    try stack.store.close()
  }

  @Test func otherContextsShowItAndKeepTheirChanges() throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    let (writer, reader) = (stack.newContext(), stack.newContext())
    let child = stack.newChild(of: writer)
    try writer.performAndWait { context in
      Person.make("Ann", in: context)
      try context.save()
    }
    let seen = try reader.performAndWait { context in
      let ann = try #require(try Person.first(in: context))
      ann.age = 40
      return ann.objectID
    }
    try child.performAndWait { context in
      let ann = try #require(try Person.first(in: context))
      ann.name = "Bea"
      try context.save()
    }
    try writer.performAndWait { try $0.save() }
    try reader.performAndWait { context in
      let ann = try #require(context.registeredObject(for: seen) as? Person)
      #expect(ann.name == "BEA")
      #expect(ann.age == 40)
    }
    try stack.store.close()
  }

  @Test func rowsThatATriggerDeletesAreGone() throws {
    let folder = try TemporaryFolder()
    let stack = try stack(folder)
    try stack.newContext().performAndWait { context in
      let (note, dog) = (Note.create(in: context), Dog.create(in: context))
      try context.save()
      context.delete(dog)
      try context.save()
      #expect(context.registeredObject(for: note.objectID) == nil)
      #expect(try Note.count(in: context) == 0)
    }
    try stack.store.close()
  }

  @Test func aStoreNamesOnlyRowsThatTriggersOfTheAppChanged() throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, triggers: Self.triggers)
    let stack = DataStack(store: store, classes: People.classes)
    try stack.newContext().performAndWait { context in
      _ = Book.make("a b c", in: context)
      try context.save()
      #expect(store.takeKeysChangedByTriggers().isEmpty)
    }
    try store.close()
    let plainFolder = try TemporaryFolder()
    let plain = try open(plainFolder, triggers: [])
    try Trigger.add(to: try #require(plain.path))
    try plain.close()
    let again = try SQLiteStore(path: try #require(plain.path), model: People.model)
    let owners = DataStack(store: again, classes: People.classes)
    try owners.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      try context.save()
      Dog.create(in: context).owner = ann
      try context.save()
      #expect(ann.dogCount == 1)
    }
    #expect(again.takeKeysChangedByTriggers().isEmpty)
    try again.close()
  }

  private static let ignoring = [
    "BEFORE INSERT ON ZTAG WHEN NEW.ZNAME = 'bad' BEGIN SELECT RAISE(IGNORE); END",
    "AFTER INSERT ON ZTAG WHEN NEW.ZNAME = 'bad' BEGIN UPDATE ZTAG SET Z_PK = Z_PK + 100 WHERE "
      + "Z_PK = NEW.Z_PK; END",
  ]

  @Test(arguments: ignoring)
  func anObjectThatTheFileDoesNotKeepIsNotAcknowledged(_ trigger: String) throws {
    let folder = try TemporaryFolder()
    let store = try open(folder, Bank.model, triggers: ["odd " + trigger])
    let stack = DataStack(store: store, classes: Bank.classes)
    try stack.newContext().performAndWait { context in
      context.mergePolicy = .objectTrump
      let tag = Tag.create(in: context)
      tag.name = "bad"
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .constraint(entity: "Tag", properties: []))
      #expect(tag.isInserted)
      tag.name = "good"
      try context.save()
      let batch = BatchInsertRequest(Tag.self, from: ["fine", "bad"]) { $0.name = $1 }
      let refusal = #expect(throws: StoreError.self) { try context.execute(batch) }
      #expect(refusal?.code == .constraint(entity: "Tag", properties: []))
      #expect(try Tag.count(in: context) == 1)
    }
    try store.close()
  }

  @Test func aLinkToARowThatATriggerDeletesMeanwhileIsAConflict() throws {
    let folder = try TemporaryFolder()
    let clear = "clear AFTER INSERT ON ZTAG BEGIN DELETE FROM ZHOLDER; END"
    let store = try open(folder, Bank.model, triggers: [clear])
    let stack = DataStack(store: store, classes: Bank.classes)
    let (linker, other) = (stack.newContext(), stack.newContext())
    try linker.performAndWait { context in
      let (account, holder) = (Account.create(in: context), Holder.create(in: context))
      try context.save()
      account.holder = holder
      try other.performAndWait { context in
        Tag.create(in: context).name = "red"
        try context.save()
      }
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .conflict([account.objectID]))
    }
    #expect(try stack.brokenLinks() == [])
    try store.close()
  }
}
