// SPDX-License-Identifier: MIT
import CoreData
import Foundation
import Testing

/// The part of chapter 1.6 of the inventory that is about histories.
@Suite struct InventoryHistoryTests {
  typealias Request = NSPersistentHistoryChangeRequest
  let folder: TemporaryFolder
  let context: NSManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    context = try Notes.container(at: folder.file("notes.sqlite"), Notes.model())
      .newBackgroundContext()
    context.transactionAuthor = "writer"
    _ = Note(context: context)
    try context.save()
  }

  @Test func formsOfResultsHaveCoreDatasNumbers() {
    let forms: [NSPersistentHistoryResultType] = [
      .statusOnly, .objectIDs, .count, .transactionsOnly, .changesOnly, .transactionsAndChanges,
    ]
    #expect(forms.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    let kinds: [NSPersistentHistoryChangeType] = [.insert, .update, .delete]
    #expect(kinds.map(\.rawValue) == [0, 1, 2])
  }

  @Test func requestsAreMadeOfPlaces() throws {
    let _: (Date) -> Request = Request.fetchHistory(after:)
    let _: (NSPersistentHistoryToken?) -> Request = Request.fetchHistory(after:)
    let _: (NSPersistentHistoryTransaction?) -> Request = Request.fetchHistory(after:)
    let _: (NSFetchRequest<any NSFetchRequestResult>) -> Request = Request.fetchHistory(withFetch:)
    let _: (Date) -> Request = Request.deleteHistory(before:)
    let _: (NSPersistentHistoryToken?) -> Request = Request.deleteHistory(before:)
    let _: (NSPersistentHistoryTransaction?) -> Request = Request.deleteHistory(before:)
    let request = Request.fetchHistory(after: Date.distantPast)
    let (form, token): (NSPersistentHistoryResultType, NSPersistentHistoryToken?) = (
      request.resultType, request.token
    )
    let fetch: NSFetchRequest<any NSFetchRequestResult>? = request.fetchRequest
    #expect(form == .transactionsAndChanges && token == nil && fetch == nil)
    #expect(Request.deleteHistory(before: Date.distantPast).resultType == .statusOnly)
  }

  @Test func transactionsTellWhoSavedWhat() throws {
    let request = Request.fetchHistory(after: Date.distantPast)
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    let (value, form): (Any?, NSPersistentHistoryResultType) = (result.result, result.resultType)
    #expect(form == .transactionsAndChanges)
    let transaction = try #require((value as? [NSPersistentHistoryTransaction])?.first)
    let moment: Date = transaction.timestamp
    let number: Int64 = transaction.transactionNumber
    let names: [String] = [transaction.storeID, transaction.bundleID, transaction.processID]
    let (author, label): (String?, String?) = (transaction.author, transaction.contextName)
    let token: NSPersistentHistoryToken = transaction.token
    let notification: Notification = transaction.objectIDNotification()
    #expect(moment > .distantPast && number == 1 && !names[0].isEmpty)
    #expect(author == "writer" && label == nil)
    #expect(notification.userInfo?[NSInsertedObjectIDsKey] != nil)
    let current = context.persistentStoreCoordinator?.currentPersistentHistoryToken(
      fromStores: nil)
    #expect(token == current)
    let changes: [NSPersistentHistoryChange] = try #require(transaction.changes)
    let change = try #require(changes.first)
    let (changeID, id): (Int64, NSManagedObjectID) = (change.changeID, change.changedObjectID)
    let kind: NSPersistentHistoryChangeType = change.changeType
    let tombstone: [AnyHashable: Any]? = change.tombstone
    let updated: Set<NSPropertyDescription>? = change.updatedProperties
    let owner: NSPersistentHistoryTransaction? = change.transaction
    #expect(changeID == 1 && id.entity.name == "Note" && kind == .insert)
    #expect(tombstone == nil && updated == nil && owner?.transactionNumber == 1)
  }

  @Test func historiesHaveEntitiesForRequests() {
    let entities: [NSEntityDescription?] = [
      NSPersistentHistoryTransaction.entityDescription, NSPersistentHistoryChange.entityDescription,
      NSPersistentHistoryTransaction.entityDescription(with: context),
      NSPersistentHistoryChange.entityDescription(with: context),
    ]
    #expect(entities.allSatisfy { $0 != nil })
    let requests: [NSFetchRequest<any NSFetchRequestResult>?] = [
      NSPersistentHistoryTransaction.fetchRequest, NSPersistentHistoryChange.fetchRequest,
    ]
    #expect(requests.map { $0?.entityName } == [entities[0]?.name, entities[1]?.name])
  }

  @Test func tokensAreArchived() throws {
    let token = try #require(
      context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NSPersistentHistoryToken.self, from: data)
    #expect(read == token && NSPersistentHistoryToken.supportsSecureCoding)
    #expect(token.copy() as? NSPersistentHistoryToken == token)
  }
}
