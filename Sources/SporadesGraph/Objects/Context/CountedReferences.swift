// SPDX-License-Identifier: MIT
import CSystem
import SporadesModel

/// References to a home and to a page, counted in advance for the objects of several rows.
///
/// Each object holds its home and its page. To count a reference is an atomic operation, which takes as long as ten
/// others, so all objects of a fetched page get theirs at once.
@safe
struct CountedReferences: ~Copyable {
  let home: ObjectHome
  private let page: RowPage
  /// The references that no object has taken.
  private var left: UInt32

  init(_ home: ObjectHome, _ page: RowPage, count: Int) {
    self.home = home
    self.page = page
    guard let count = UInt32(exactly: count) else {
      trap("A page has fewer rows than 4 thousand million.")
    }
    left = count
    unsafe sporades_retain(Unmanaged.passUnretained(home).toOpaque(), count)
    unsafe sporades_retain(Unmanaged.passUnretained(page).toOpaque(), count)
  }

  deinit {
    guard left > 0 else { return }
    unsafe sporades_release(Unmanaged.passUnretained(home).toOpaque(), left)
    unsafe sporades_release(Unmanaged.passUnretained(page).toOpaque(), left)
  }

  /// Makes the object of a row of the page, which takes a reference of each.
  @inline(__always)
  mutating func makeObject(_ key: RowKey, showing index: Int) -> ManagedObject {
    trap(unless: left > 0, "A page has one object for each row.")
    left -= 1
    let seed = unsafe ObjectSeed(home: Unmanaged.passUnretained(home).takeRetainedValue(), key: key)
    let object = home.makeObject(seed)
    unsafe object.showCounted(Unmanaged.passUnretained(page), index)
    return object
  }
}
