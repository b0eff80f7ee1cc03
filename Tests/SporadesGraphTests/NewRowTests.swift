// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@Entity final class Sheet: ManagedObject {
  var title: String = "untitled"
  var note: String = ""
  var number: Int = 1
  @Attribute(.externalStorage) var picture: Data = Data([1, 2, 3])
}

/// New objects of one page begin as copies of one row, and share the bytes of default texts.
@Suite struct NewRowTests {
  private func stack(_ kind: StoreKind) throws -> DataStack {
    DataStack(store: try kind.store(ManagedObjectModel([Sheet.self])), classes: [Sheet.self])
  }

  @Test(arguments: StoreKind.allCases)
  func aChangeOfOneObjectLeavesTheDefaultsOfTheOthers(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      let sheets = (0..<40).map { _ in Sheet.create(in: context) }
      for (number, sheet) in sheets.enumerated() where number.isMultiple(of: 3) {
        sheet.title = "sheet \(number)"
        sheet.number = number
        sheet.picture = Data([UInt8(number)])
      }
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let all = try Sheet.all(in: context)
      let changed = all.filter { $0.title != "untitled" }
      #expect(all.count == 40)
      #expect(Set(changed.map(\.title)) == Set((0..<14).map { "sheet \($0 * 3)" }))
      #expect(changed.allSatisfy { $0.picture == Data([UInt8($0.number)]) })
      #expect(all.allSatisfy { $0.note.isEmpty })
      let others = all.filter { $0.title == "untitled" }
      #expect(others.allSatisfy { $0.number == 1 && $0.picture == Data([1, 2, 3]) })
    }
  }

  @Test func aDefaultThatIsSetAgainIsTheDefault() throws {
    try stack(.memory).newContext().performAndWait { context in
      let (sheet, other) = (Sheet.create(in: context), Sheet.create(in: context))
      sheet.title = "changed"
      sheet.title = "untitled"
      #expect(sheet.changedValues().isEmpty)
      #expect(other.title == "untitled")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSaveLeavesOutWithdrawnObjectsOfAPage(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      let sheets = (0..<30).map { _ in Sheet.create(in: context) }
      for (number, sheet) in sheets.enumerated() { sheet.title = "\(number)" }
      for (number, sheet) in sheets.enumerated() where number.isMultiple(of: 2) {
        context.delete(sheet)
      }
      try context.save()
      let kept = sheets.filter { $0.managedObjectContext != nil && !$0.isFault }
      #expect(kept.map(\.title) == (0..<15).map { "\($0 * 2 + 1)" })
    }
    try stack.newContext().performAndWait { context in
      let titles = try Sheet.all(in: context).compactMap { Int($0.title) }.sorted()
      #expect(titles == (0..<15).map { $0 * 2 + 1 })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aSaveOfSomeChangedRowsOfAPageWritesThose(in kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.newContext().performAndWait { context in
      for number in 0..<30 { Sheet.create(in: context).number = number }
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let all = try Sheet.all(sortedBy: \.number, in: context)
      for sheet in all { sheet.note = "note \(sheet.number)" }
      for sheet in all where sheet.number.isMultiple(of: 5) { context.delete(sheet) }
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let all = try Sheet.all(sortedBy: \.number, in: context)
      #expect(all.map(\.number) == (0..<30).filter { !$0.isMultiple(of: 5) })
      #expect(all.allSatisfy { $0.note == "note \($0.number)" })
    }
  }
}
