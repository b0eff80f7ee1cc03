// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// The code in "Errors" and in the page about durability.
struct ReceiptDocumentationTests {
  private typealias Book = Bookshop.Book

  // snippet: receipts
  func add(_ title: String, to service: DALService) async throws {
    do {
      try await service.write(durability: .immediate) { context in
        let book = Book.create(in: context)
        book.title = title
      }
    } catch {
      guard case .notDurable = error.code, let receipt = error.receipt else { throw error }
      // It is accepted, and the service tries again. Writing again would add a second book.
      if case .lost(let write) = await receipt.settled { throw write }
    }
  }
  // snippet end

  @Test(arguments: [false, true]) func aReceiptAnswers(_ isLost: Bool) async throws {
    let model = try ManagedObjectModel(Bookshop.entities)
    let double = StoreDouble(MemoryStore(model: model))
    let service = RecordingService(
      stack: DataStack(store: double, classes: Bookshop.entities),
      options: RecordingService.options { _ in })
    double.fail(.commit, times: 1)
    if isLost {
      double.play { (call) throws(StoreError) in
        guard call == .commit, let changes = double.lastSave else { return }
        double.play { _ in }
        try double.withdraw([changes])
        throw StoreError(.full, "Scripted.")
      }
    }
    if isLost {
      await #expect(throws: LostWrite.self) { try await add("Emma", to: service) }
    } else {
      try await add("Emma", to: service)
    }
    #expect(try service.readValue { try Book.count(in: $0) } == (isLost ? 0 : 1))
  }
}
