// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

// snippet: moments
@Entity final class Invoice: ManagedObject {
  var number: Int = 0
  var total: Double = 0
  var changedAt: Date?

  override func willSave() {
    // set only where something else changed: the object is being saved anyway
    if !isDeleted { setPrimitiveValue(Date(), forKey: "changedAt") }
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if committedValues(forKeys: ["number"])["number"] != .integer(Int64(number)) {
      throw InvoiceError.numbersStay
    }
  }
}
// snippet end

enum InvoiceError: Error { case numbersStay }

/// The code in "Coming from Core Data".
struct LifecycleDocumentationTests {
  @Test func undoAndMomentsAreAsDocumented() throws {
    let bound = DataStack(
      store: MemoryStore(model: try ManagedObjectModel([Invoice.self])), classes: [Invoice.self])
    let queue = bound.newContext()
    let invoice = try queue.performAndWait { context in
      let invoice = Invoice.create(in: context)
      try context.save()
      return invoice
    }
    // snippet: undo
    queue.performAndWait { context in
      context.undoManager = ContextUndoManager()
      invoice.total = 12.5
    }
    try queue.performAndWait { context in
      invoice.total = 99
      try context.save()
    }
    queue.performAndWait { context in
      context.undo()  // 12.5, for the next save
      context.undo()  // 0
      context.redo()  // 12.5 again
    }
    // snippet end
    try queue.performAndWait { context in
      #expect(invoice.total == 12.5)
      #expect(invoice.hasChanges)
      try context.save()
      #expect(invoice.changedAt != nil)
      invoice.number = 2
      #expect(throws: ValidationError.self) { try context.save() }
    }
  }
}
