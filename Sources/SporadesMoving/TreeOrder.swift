// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The order in which inheritance trees are moved, so that most references lead to rows that are there already.
///
/// A store may refuse a row whose reference leads to none. Where trees refer to each other, or a tree to itself, rows are
/// inserted without these references, one version earlier, and get them when all rows are there.
final class TreeOrder: Sendable {
  /// The entities at the top of the trees.
  let roots: [EntityShape]
  private let model: ManagedObjectModel
  /// The place in the order of each tree, by the number of its root.
  private let places: [Int: Int]

  private init(_ model: ManagedObjectModel, _ roots: [EntityShape], _ places: [Int: Int]) {
    (self.model, self.roots, self.places) = (model, roots, places)
  }

  /// The order of the trees that a configuration holds.
  static func order(
    _ model: ManagedObjectModel, holding configuration: StoreConfiguration
  ) -> TreeOrder {
    var (finished, begun): ([Int], Set<Int>) = ([], [])
    for shape in model.shapes where shape.superNumber == 0 && configuration.holds(shape.number) {
      visit(shape.number, model, &begun, &finished)
    }
    let numbers = finished.filter(configuration.holds)
    let places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
    return TreeOrder(model, numbers.map(model.shape(numbered:)), places)
  }

  /// The tree of an entity is moved.
  func holds(_ entity: Int) -> Bool { places[model.shape(numbered: entity).rootNumber] != nil }

  /// Finishes each tree after those that it refers to.
  private static func visit(
    _ first: Int, _ model: ManagedObjectModel, _ begun: inout Set<Int>, _ finished: inout [Int]
  ) {
    guard begun.insert(first).inserted else { return }
    // A list of open trees and not a recursion, because a model may have thousands in a row.
    var open = [(root: first, targets: targets(of: first, model)[...])]
    while let last = open.indices.last {
      guard let target = open[last].targets.popFirst() else {
        finished.append(open.removeLast().root)
        continue
      }
      if begun.insert(target).inserted { open.append((target, targets(of: target, model)[...])) }
    }
  }

  private static func targets(of root: Int, _ model: ManagedObjectModel) -> [Int] {
    model.shape(numbered: root).layout.slots.compactMap { slot in
      switch slot.role {
      case .toOne(let relationship):
        model.shape(named: relationship.destinationEntityName)?.rootNumber
      case .owner(let entity, _): model.shape(numbered: entity).rootNumber
      case .attribute, .position: nil
      }
    }
  }

  // MARK: - References

  /// The row that a reference leads to is moved after the row that has it.
  private func isLate(_ page: RowPage, _ index: Int, slot: Int) -> Bool {
    guard let target = page.reference(index, slot: slot),
      let place = places[model.shape(numbered: target.entity).rootNumber]
    else { return false }
    return place >= places[page.layout.rootEntity] ?? 0
  }

  private func lateSlots(_ page: RowPage, _ index: Int) -> [Int] {
    page.layout.referenceSlots.filter { isLate(page, index, slot: $0) }
  }

  /// The rows of a page as they are inserted, and the keys of those whose references come later.
  func insertable(_ page: RowPage) -> (page: RowPage, incomplete: [RowKey]) {
    let late = (0..<page.count).map { lateSlots(page, $0) }
    guard late.contains(where: { !$0.isEmpty }) else { return (page, []) }
    var builder = RowPageBuilder(layout: page.layout, capacity: page.count)
    var incomplete: [RowKey] = []
    for (index, slots) in late.enumerated() {
      builder.appendCopy(of: index, in: page)
      guard !slots.isEmpty else { continue }
      incomplete.append(page.key(index))
      unsafe builder.lastRow.version = max(page.version(index), 1) - 1
      for slot in slots { unsafe builder.lastRow.setNull(slot, page.layout.places) }
    }
    return (builder.finish(), incomplete)
  }

  /// The changes that give incomplete rows their references.
  func completing(_ page: RowPage) -> UpdatedRows {
    var builder = RowPageBuilder(layout: page.layout, capacity: page.count)
    var bits: [UInt64] = []
    for index in 0..<page.count {
      builder.appendCopy(of: index, in: page)
      unsafe builder.lastRow.version = max(page.version(index), 1)
      var words = [UInt64](repeating: 0, count: page.layout.bitWords)
      for slot in lateSlots(page, index) { words[slot >> 6] |= 1 << UInt64(slot & 63) }
      bits += words
    }
    return UpdatedRows(page: builder.finish(), changedSlots: bits)
  }
}
