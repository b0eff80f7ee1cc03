// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

@Suite struct BatchTests {
  let container: NSPersistentContainer
  let context: NSManagedObjectContext

  init() throws {
    container = try Notes.container()
    context = container.newBackgroundContext()
  }

  private func notes(_ context: NSManagedObjectContext) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
    return try context.fetch(request)
  }

  private func insert(_ count: Int16) throws -> [Note] {
    let notes = (0..<count).map { rank in
      let note = Note(context: context)
      (note.title, note.rank) = ("\(rank)", rank)
      return note
    }
    try context.save()
    return notes
  }

  // MARK: - Inserting

  @Test func dictionariesBecomeObjects() throws {
    let request = NSBatchInsertRequest(
      entityName: "Note",
      objects: [
        ["title": "A", "rank": 1, "isDone": true, "colors": ["red"]],
        ["title": "B", "rank": NSNumber(value: 2), "price": Decimal(3), "text": NSNull()],
      ])
    request.resultType = .objectIDs
    let result = try #require(try context.execute(request) as? NSBatchInsertResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(result.resultType == .objectIDs && ids.count == 2)
    let all = try notes(context)
    #expect(all.map(\.objectID) == ids && all.map(\.title) == ["A", "B"])
    #expect(all[0].value(forKey: "isDone") as? Bool == true)
    #expect(all[0].value(forKey: "colors") as? [String] == ["red"])
    #expect(all[1].text == nil && all[0].entity === ids[0].entity)
    #expect(ids[0].persistentStore === container.persistentStoreCoordinator.persistentStores[0])
  }

  @Test func handlersFillOneObjectAfterTheOther() throws {
    var next: Int16 = 0
    let objects = NSBatchInsertRequest(
      entity: Note.entity(),
      managedObjectHandler: { object in
        guard next < 3 else { return true }
        object.setValue("\(next)", forKey: "title")
        (object as? Note)?.rank = next
        next += 1
        return false
      })
    objects.resultType = .count
    #expect((try context.execute(objects) as? NSBatchInsertResult)?.result as? Int == 3)
    let dictionaries = NSBatchInsertRequest(
      entityName: "Note",
      dictionaryHandler: { values in
        guard next < 5 else { return true }
        values["title"] = "\(next)"
        values["rank"] = next
        next += 1
        return false
      })
    #expect((try context.execute(dictionaries) as? NSBatchInsertResult)?.result as? Bool == true)
    #expect(try notes(context).map(\.title) == ["0", "1", "2", "3", "4"])
  }

  @Test func aWrongValueInsertsNothing() throws {
    let request = NSBatchInsertRequest(
      entityName: "Note", objects: [["title": "A"], ["title": "B", "date": "today"]])
    let error = #expect(throws: NSError.self) { try context.execute(request) }
    #expect(error?.localizedDescription.contains("date") == true)
    #expect(try notes(context).isEmpty)
  }

  @Test func theMergePolicyDecidesAboutUniqueValues() throws {
    func insert() throws {
      _ = try context.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["name": "a"]]))
    }
    try insert()
    let error = #expect(throws: NSError.self) { try insert() }
    #expect(error?.code == NSManagedObjectConstraintMergeError)
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try insert()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try insert()
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag")) == 1)
  }

  // MARK: - Updating

  @Test func valuesAndExpressionsChangeRowsPastContexts() throws {
    let notes = try insert(4)
    let request = NSBatchUpdateRequest(entityName: "Note")
    request.predicate = NSPredicate(format: "rank >= %d", 2)
    let title = try #require(Note.entity().attributesByName["title"])
    request.propertiesToUpdate = [
      title: "new", "rank": (Expressions() as any NamedExpressions).rankAndTen, "text": NSNull(),
    ]
    request.resultType = .updatedObjectIDsResultType
    let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(Set(ids) == [notes[2].objectID, notes[3].objectID])
    // No context shows it by itself.
    #expect(notes[2].title == "2" && notes[2].rank == 2)
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
    #expect(notes.map(\.title) == ["0", "1", "new", "new"] && notes[3].rank == 13)
    request.resultType = .updatedObjectsCountResultType
    #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
  }

  // MARK: - Deleting

  @Test func fetchesAndIdsAreDeleted() throws {
    let notes = try insert(4)
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    fetch.predicate = NSPredicate(format: "rank < 2")
    let request = NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids == [notes[0].objectID, notes[1].objectID])
    #expect(request.fetchRequest.predicate == fetch.predicate && request.fetchRequest !== fetch)
    #expect(!notes[0].isDeleted && notes[0].title == "0")
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
    #expect(notes[0].managedObjectContext == nil)
    let rest = NSBatchDeleteRequest(objectIDs: [notes[2].objectID, notes[3].objectID])
    #expect(rest.fetchRequest.entityName == "Note")
    rest.resultType = .resultTypeCount
    #expect((try context.execute(rest) as? NSBatchDeleteResult)?.result as? Int == 2)
    #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
    let none = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Note>(entityName: "Note"))
    #expect((try context.execute(none) as? NSBatchDeleteResult)?.result as? Bool == true)
  }

  @Test func aChildsBatchGoesToTheStores() throws {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = context
    try child.execute(NSBatchInsertRequest(entityName: "Note", objects: [["title": "A"]]))
    #expect(!context.hasChanges)
    #expect(try notes(container.viewContext).map(\.title) == ["A"])
  }

  // MARK: - Other requests

  @Test func aFetchHasItsResultLater() async throws {
    _ = try insert(3)
    let context = context
    let titles = try await withCheckedThrowingContinuation {
      (done: CheckedContinuation<[String], any Error>) in
      let request = NSAsynchronousFetchRequest(
        fetchRequest: NSFetchRequest<Note>(entityName: "Note")
      ) { result in
        if let error = result.operationError { return done.resume(throwing: error) }
        done.resume(returning: (result.finalResult ?? []).map(\.title))
      }
      context.performAndWait {
        do {
          let result = try context.execute(request)
          #expect(result is NSAsynchronousFetchResult<Note>)
        } catch { done.resume(throwing: error) }
      }
    }
    #expect(titles.sorted() == ["0", "1", "2"])
  }

  @Test func aCancelledFetchSaysSo() async throws {
    let context = context
    let error: (any Error)? = try await withCheckedThrowingContinuation { done in
      let request = NSAsynchronousFetchRequest(
        fetchRequest: NSFetchRequest<Note>(entityName: "Note")
      ) { result in done.resume(returning: result.operationError) }
      context.performAndWait {
        do {
          (try context.execute(request) as? NSPersistentStoreAsynchronousResult)?.cancel()
        } catch { done.resume(throwing: error) }
      }
    }
    #expect((error as? CocoaError)?.code == .userCancelled)
  }

  @Test func aFetchIsAPartOfTheThreadsProgress() async throws {
    let context = context
    let progress = Progress(totalUnitCount: 1)
    let part: Progress? = try await withCheckedThrowingContinuation { done in
      let request = NSAsynchronousFetchRequest(
        fetchRequest: NSFetchRequest<Note>(entityName: "Note")
      ) { result in done.resume(returning: result.progress) }
      context.performAndWait {
        progress.becomeCurrent(withPendingUnitCount: 1)
        do { try context.execute(request) } catch { done.resume(throwing: error) }
        progress.resignCurrent()
      }
    }
    #expect(part?.fractionCompleted == 1 && progress.fractionCompleted == 1)
  }

  @Test func aPlainFetchIsExecutedAtOnce() throws {
    _ = try insert(2)
    let request = NSFetchRequest<Note>(entityName: "Note")
    let result = try context.execute(request) as? NSAsynchronousFetchResult<Note>
    #expect(result?.finalResult?.count == 2)
    let counts = NSFetchRequest<NSNumber>(entityName: "Note")
    counts.resultType = .dictionaryResultType
    counts.propertiesToFetch = ["rank"]
    let answer = try context.execute(counts)
    let rows = try #require(answer as? NSAsynchronousFetchResult<NSDictionary>).finalResult
    #expect(Set(rows?.compactMap { $0["rank"] as? Int } ?? []) == [0, 1])
    let coordinator = container.persistentStoreCoordinator
    #expect((try coordinator.execute(request, with: context) as? [Note])?.count == 2)
  }

  @Test func optionsAndAnOrderOfObjectsMeanNothingForASum() throws {
    _ = try insert(4)
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.returnsObjectsAsFaults = false
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    request.propertiesToFetch = [(Expressions() as any NamedExpressions).sumOfRanks]
    #expect(try context.fetch(request) as? [[String: Int]] == [["sum": 6]])
  }

  @Test func aSaveIsNoRequest() throws {
    let request = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
    let error = #expect(throws: NSError.self) { try context.execute(request) }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }
}

/// Expressions, by a protocol: Foundation marks their class as deprecated.
private protocol NamedExpressions {
  var rankAndTen: NSObject { get }
  var sumOfRanks: NSObject { get }
}

private struct Expressions: NamedExpressions {
  @available(*, deprecated)
  var rankAndTen: NSObject { NSExpression(format: "rank + 10") }
  @available(*, deprecated)
  var sumOfRanks: NSObject {
    let sum = NSExpressionDescription()
    (sum.name, sum.expressionResultType) = ("sum", .integer64AttributeType)
    sum.expression = NSExpression(format: "sum:(rank)")
    return sum
  }
}
