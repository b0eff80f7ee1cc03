// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// A large value in a file. The file stays as long as this value lives, even after its row is gone.
final class FileValue: LargeValue {
  let name: ValueName
  private let files: ExternalFiles
  private let place: ColumnPlace

  /// The caller has just read the row that names the file. The removal of released files waits until the read
  /// ends, so the file still exists.
  init(_ name: ValueName, _ place: ColumnPlace, _ files: ExternalFiles) {
    self.name = name
    self.files = files
    self.place = place
    files.use(name)
  }

  deinit { files.endUse(of: name) }

  func read() throws(StoreError) -> Data { try files.contents(of: name, place) }
  func count() throws(StoreError) -> Int { try files.size(of: name, place) }
  var isInMemory: Bool { false }

  func isKnownEqual(to other: any LargeValue) -> Bool {
    guard let other = other as? FileValue else { return false }
    return name == other.name
  }
}

/// The content of a column that should name a file and does not. The row can be read, but the value cannot.
final class BrokenValue: LargeValue {
  private let place: ColumnPlace

  init(_ place: ColumnPlace) { self.place = place }

  private var error: StoreError {
    StoreError(
      .corrupt,
      "\(place) does not contain the name of a large value's file, an upper-case UUID. Set the property "
        + "again, or restore a copy of the store.")
  }

  func read() throws(StoreError) -> Data { throw error }
  func count() throws(StoreError) -> Int { throw error }
  var isInMemory: Bool { false }
}

/// One slot of one row, for error texts and for checking whether the row still names a file.
struct ColumnPlace: Sendable, CustomStringConvertible {
  let key: RowKey
  let slot: Int
  let layout: RowLayout

  var description: String {
    "\(layout.rootEntityName).\(layout.slots[slot].name) of row \(key.primaryKey)"
  }
}

/// The values read last, so that repeated reads of one value do not open its file each time.
struct RecentValues {
  private var values: [(name: ValueName, data: Data)] = []
  private var byteCount = 0
  private static let largest = 1 << 24

  func find(_ name: ValueName) -> Data? { values.last { $0.name == name }?.data }

  mutating func note(_ data: Data, as name: ValueName) {
    guard data.count <= Self.largest, find(name) == nil else { return }
    values.append((name, data))
    byteCount += data.count
    while byteCount > Self.largest { byteCount -= values.removeFirst().data.count }
  }

  mutating func forget(_ name: ValueName) {
    values.removeAll { value in
      guard value.name == name else { return false }
      byteCount -= value.data.count
      return true
    }
  }
}
