// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@testable import SporadesSQLite

/// The lock of the files of large values, when the last reference to a page goes away.
@Suite struct LargeValueLockTests {
  private let store = LargeStore()
  private let shape = Sample.shape("Person")

  private func page(holding value: (any LargeValue)? = nil) -> RowPage {
    let page = RowPage(openForChangedRowsOf: shape.layout, capacity: 1)
    let row = unsafe page.openRow(RowKey(entity: shape.number, primaryKey: 1), version: 1)
    if let value { _ = unsafe page.openLarge(value, for: LargeStore.slot, of: row) }
    return page
  }

  /// Writes a photo for a row of the page, which the account of written files keeps alive.
  private func write(_ number: Int, for page: RowPage, _ files: ExternalFiles) throws -> ValueName {
    try files.write(
      LargeValueInMemory(LargeStore.photo(number)),
      for: .init(page: page, index: 0, slot: LargeStore.slot))
  }

  @Test(.timeLimit(.minutes(60)), arguments: ["a commit", "a return", "a repetition"])
  func aPageWithAValueInAFileIsReleasedOutsideTheLock(by end: String) throws {
    let files = ExternalFiles(storePath: store.path, UpkeepAccount())
    let held = try write(1, for: page(), files)
    files.drop(held)
    files.settle()
    let column = ColumnPlace(
      key: RowKey(entity: shape.number, primaryKey: 1), slot: LargeStore.slot, layout: shape.layout)
    let mark = files.mark
    _ = try write(2, for: page(holding: FileValue(held, column, files)), files)
    try files.removeDropped {}
    #expect(store.files.contains("\(held)"), "A page still holds the value.")
    switch end {
    case "a commit": files.settle()
    case "a return": files.discard(after: mark)
    default:
      files.beginAgain()
      files.giveUpUnwritten()
    }
    #expect(!store.files.contains("\(held)"))
  }
}
