// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// Chapter 1.6 of the inventory: requests and their results.
@Suite struct InventoryRequestTests {
  let context: NSManagedObjectContext

  init() throws {
    context = try Notes.container().newBackgroundContext()
  }

  @Test func kindsOfRequestsHaveCoreDatasNumbers() {
    let kinds: [NSPersistentStoreRequestType] = [
      .fetchRequestType, .saveRequestType, .batchInsertRequestType, .batchUpdateRequestType,
      .batchDeleteRequestType,
    ]
    #expect(kinds.map(\.rawValue) == [1, 2, 5, 6, 7])
    let requests: [NSPersistentStoreRequest] = [
      NSFetchRequest<Note>(),
      NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil),
      NSBatchInsertRequest(entityName: "Note", objects: []),
      NSBatchUpdateRequest(entityName: "Note"), NSBatchDeleteRequest(objectIDs: []),
    ]
    #expect(requests.map(\.requestType) == kinds)
    let stores: [NSPersistentStore]? = requests[0].affectedStores
    #expect(stores == nil)
  }

  // MARK: - Fetches

  @Test func aNewFetchHasCoreDatasDefaults() {
    let request = NSFetchRequest<Note>(entityName: "Note")
    let (name, entity): (String?, NSEntityDescription?) = (request.entityName, request.entity)
    #expect(name == "Note" && entity?.name == "Note")
    let (predicate, having): (NSPredicate?, NSPredicate?) = (
      request.predicate, request.havingPredicate
    )
    let order: [NSSortDescriptor]? = request.sortDescriptors
    #expect(predicate == nil && having == nil && order == nil)
    let numbers: [Int] = [request.fetchLimit, request.fetchOffset, request.fetchBatchSize]
    #expect(numbers == [0, 0, 0])
    let type: NSFetchRequestResultType = request.resultType
    #expect(type == .managedObjectResultType)
    let flags: [Bool] = [
      request.includesSubentities, request.includesPropertyValues, request.includesPendingChanges,
      request.returnsObjectsAsFaults, request.returnsDistinctResults,
      request.shouldRefreshRefetchedObjects,
    ]
    #expect(flags == [true, true, true, true, false, false])
    let paths: [String]? = request.relationshipKeyPathsForPrefetching
    let columns: [[Any]?] = [request.propertiesToFetch, request.propertiesToGroupBy]
    let stores: [NSPersistentStore]? = request.affectedStores
    #expect(paths == nil && columns.allSatisfy { $0 == nil } && stores == nil)
    #expect(NSFetchRequest<Note>().entityName == nil)
  }

  @Test func formsOfResultsHaveCoreDatasNumbers() {
    let forms: [NSFetchRequestResultType] = [
      .managedObjectResultType, .managedObjectIDResultType, .dictionaryResultType, .countResultType,
    ]
    #expect(forms.map(\.rawValue) == [0, 1, 2, 4])
    let results: [any NSFetchRequestResult.Type] = [
      NSManagedObject.self, NSManagedObjectID.self, NSDictionary.self, NSNumber.self,
    ]
    #expect(results.count == 4)
  }

  @Test func aFetchIsCopied() throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.fetchLimit = 3
    let copy = try #require(request.copy() as? NSFetchRequest<Note>)
    #expect(copy == request && copy !== request && copy.fetchLimit == 3)
  }

  @Test func asynchronousFetchesHaveResults() async throws {
    typealias Result = NSAsynchronousFetchResult<Note>
    let note = Note(context: context)
    let fetch = NSFetchRequest<Note>(entityName: "Note")
    let result: Result = try await withCheckedThrowingContinuation { done in
      let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { done.resume(returning: $0) }
      request.estimatedResultCount = 1
      let block: ((Result) -> Void)? = request.completionBlock
      #expect(request.fetchRequest === fetch && block != nil)
      do { try context.execute(request) } catch { done.resume(throwing: error) }
    }
    let found: [Note]? = result.finalResult
    let (failure, progress): ((any Error)?, Progress?) = (result.operationError, result.progress)
    let place: NSManagedObjectContext = result.managedObjectContext
    #expect(found == [note] && failure == nil && progress == nil && place === context)
    #expect(result.fetchRequest.estimatedResultCount == 1)
    let _: (NSPersistentStoreAsynchronousResult) -> () -> Void =
      NSPersistentStoreAsynchronousResult.cancel
  }

  // MARK: - Changes

  @Test func saveRequestsCollectChanges() {
    let note = Note(context: context)
    let request = NSSaveChangesRequest(
      inserted: [note], updated: [], deleted: nil, locked: nil)
    let sets: [Set<NSManagedObject>?] = [
      request.insertedObjects, request.updatedObjects, request.deletedObjects,
      request.lockedObjects,
    ]
    #expect(sets == [[note], [], nil, nil])
    let error = #expect(throws: (any Error).self) { try context.execute(request) } as NSError?
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }

  @Test func batchesInsert() throws {
    let forms: [NSBatchInsertRequestResultType] = [.statusOnly, .objectIDs, .count]
    #expect(forms.map(\.rawValue) == [0, 1, 2])
    let entity = Note.entity()
    var (rows, objects) = (2, 1)
    let requests: [NSBatchInsertRequest] = [
      NSBatchInsertRequest(entityName: "Note", objects: [["title": "A"]]),
      NSBatchInsertRequest(entity: entity, objects: [["title": "B"]]),
      NSBatchInsertRequest(entityName: "Note") { (values: NSMutableDictionary) -> Bool in
        values["title"] = "C"
        rows -= 1
        return rows < 0
      },
      NSBatchInsertRequest(
        entity: entity,
        managedObjectHandler: { (object: NSManagedObject) -> Bool in
          object.setValue("D", forKey: "title")
          objects -= 1
          return objects < 0
        }),
    ]
    let counts = try requests.map { request -> Int in
      let form: NSBatchInsertRequestResultType = request.resultType
      // A name stands for the entity of the coordinator that was made last, which may be another test's.
      #expect(form == .statusOnly && request.entityName == "Note" && request.entity?.name == "Note")
      request.resultType = .count
      let result = try #require(try context.execute(request) as? NSBatchInsertResult)
      let (value, kind): (Any?, NSBatchInsertRequestResultType) = (result.result, result.resultType)
      #expect(kind == .count)
      return try #require(value as? Int)
    }
    #expect(counts == [1, 1, 2, 1])
    let rowsOfFirst: [[String: Any]]? = requests[0].objectsToInsert
    #expect(rowsOfFirst?.count == 1 && requests[2].dictionaryHandler != nil)
    #expect(requests[3].managedObjectHandler != nil)
  }

  @Test func batchesUpdate() throws {
    let forms: [NSBatchUpdateRequestResultType] = [
      .statusOnlyResultType, .updatedObjectIDsResultType, .updatedObjectsCountResultType,
    ]
    #expect(forms.map(\.rawValue) == [0, 1, 2])
    _ = Note(context: context)
    try context.save()
    let entity = Note.entity()
    let request = NSBatchUpdateRequest(entity: entity)
    let (condition, values): (NSPredicate?, [AnyHashable: Any]?) = (
      request.predicate, request.propertiesToUpdate
    )
    #expect(condition == nil && values == nil && request.includesSubentities)
    #expect(request.entityName == "Note" && request.entity === entity)
    #expect(request.resultType == .statusOnlyResultType)
    request.propertiesToUpdate = ["title": "A"]
    request.resultType = .updatedObjectsCountResultType
    let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
    #expect(result.result as? Int == 1 && result.resultType == .updatedObjectsCountResultType)
  }

  @Test func batchesDelete() throws {
    let forms: [NSBatchDeleteRequestResultType] = [
      .resultTypeStatusOnly, .resultTypeObjectIDs, .resultTypeCount,
    ]
    #expect(forms.map(\.rawValue) == [0, 1, 2])
    let note = Note(context: context)
    try context.save()
    let fetch: NSFetchRequest<any NSFetchRequestResult> = Note.fetchRequest()
    let byFetch = NSBatchDeleteRequest(fetchRequest: fetch)
    #expect(byFetch.fetchRequest == fetch && byFetch.fetchRequest !== fetch)
    let request = NSBatchDeleteRequest(objectIDs: [note.objectID])
    #expect(request.resultType == .resultTypeStatusOnly)
    request.resultType = .resultTypeObjectIDs
    let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
    #expect(result.result as? [NSManagedObjectID] == [note.objectID])
    #expect(result.resultType == .resultTypeObjectIDs)
  }
}
