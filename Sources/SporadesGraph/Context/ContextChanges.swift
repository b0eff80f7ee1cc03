// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of a context that were changed since the last save, and the pages their rows lie in.
struct ContextChanges {
  /// In the order of their first change; holds them until the save.
  private(set) var listed: [ManagedObject] = []
  /// Objects whose to-many relationships changed in memory, while their rows may be the same.
  private(set) var linked: [ManagedObject] = []
  /// Open pages for rows of new objects, by number of the root entity.
  private var insertPages: [Int: OpenPages] = [:]
  /// Open pages for rows of changed objects, by number of the root entity.
  private var updatePages: [Int: OpenPages] = [:]

  /// The pages of one tree: full ones, and the one that takes the next row.
  private struct OpenPages {
    var last: RowPage
    static let firstCapacity = 8
    static let largestCapacity = 1024

    let ofChangedRows: Bool

    init(_ layout: RowLayout, ofChangedRows: Bool) {
      self.ofChangedRows = ofChangedRows
      last = RowPage(
        openFor: layout, capacity: Self.firstCapacity, ofChangedRows: ofChangedRows)
    }

    mutating func next() -> RowPage {
      if last.isFull {
        let capacity = min(last.count * 4, Self.largestCapacity)
        last = RowPage(
          openFor: last.layout, capacity: capacity, ofChangedRows: ofChangedRows)
      }
      return last
    }
  }

  var isEmpty: Bool { !listed.contains(where: \.hasChanges) }

  mutating func list(_ object: ManagedObject) {
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    listed.append(object)
  }

  /// Holds an object whose to-many relationships changed until the save, since no row tells it.
  mutating func noteLinks(_ object: ManagedObject) {
    guard !object.state.contains(.linked) else { return }
    object.state.insert(.linked)
    linked.append(object)
  }

  func forEachListed(_ body: (ManagedObject) -> Void) { listed.forEach(body) }

  mutating func insertPage(_ layout: RowLayout) -> RowPage {
    insertPages[layout.rootEntity, default: OpenPages(layout, ofChangedRows: false)].next()
  }

  mutating func updatePage(_ layout: RowLayout) -> RowPage {
    updatePages[layout.rootEntity, default: OpenPages(layout, ofChangedRows: true)].next()
  }

  /// Starts anew; the pages in use live on in the objects that show them.
  mutating func clear() {
    for object in listed { object.state.remove(.listed) }
    for object in linked { object.state.remove(.linked) }
    self = ContextChanges()
  }
}
