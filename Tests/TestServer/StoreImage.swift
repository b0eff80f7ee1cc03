// SPDX-License-Identifier: MIT
import Foundation
package import SporadesModel
package import SporadesStore

/// Everything that a store holds: rows with keys, versions and values, links in their orders, and the program's metadata.
package struct StoreImage {
  private struct Row {
    let version: Int64
    let cells: [Cell]
  }

  private enum Cell: Equatable {
    case null
    case word(UInt64)
    case bytes([UInt8])
    case decimal(Decimal)
    case date(Double)

    /// A server keeps microseconds, so that a date may come back half of one away from where it was.
    func isKept(as other: Cell) -> Bool {
      guard case .date(let before) = self, case .date(let after) = other else {
        return self == other
      }
      return abs(before - after) <= 0.000_000_5 + before.ulp
    }
  }

  private var rows: [RowKey: Row] = [:]
  private var links: [String: [RowKey: [RowKey]]] = [:]
  package let metadata: [String: MetadataValue]

  package var rowCount: Int { rows.count }
  package var linkCount: Int {
    links.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
  }

  package init(_ store: any PersistentStore) throws {
    metadata = try store.metadata().filter { !MetadataValue.isCoreData(key: $0.key) }
    let roots = store.model.shapes.filter { $0.superNumber == 0 }
    for root in roots {
      for page in try store.rows(StoreFetch(root), in: .committed) {
        for index in 0..<page.count {
          let cells = try page.layout.slots.indices.map { try Self.cell(page, index, $0) }
          rows[page.key(index)] = Row(version: page.version(index), cells: cells)
        }
      }
    }
    for shape in store.model.shapes {
      for relationship in shape.relationships where relationship.entity == shape.number {
        guard case .join = relationship.storage else { continue }
        let owners = try store.keys(StoreFetch(shape), in: .committed)
        let found = try store.links(of: relationship, owners: owners, in: .committed)
        links["\(shape.name).\(relationship.name)"] =
          Dictionary(grouping: found, by: \.owner).mapValues { $0.map(\.other) }
          .mapValues { relationship.isOrdered ? $0 : $0.sorted() }
      }
    }
  }

  private static func cell(_ page: RowPage, _ index: Int, _ slot: Int) throws -> Cell {
    guard !page.isNull(index, slot: slot) else { return .null }
    let known = page.layout.slots[slot]
    if known.kind.isBytes {
      if case .attribute(let attribute) = known.role, attribute.type == .decimal {
        return .decimal(Decimal(string: page.text(index, slot: slot) ?? "") ?? .nan)
      }
      return .bytes(try page.data(index, slot: slot).map { [UInt8]($0) } ?? [])
    }
    let word = page.word(index, slot: slot)
    if case .attribute(let attribute) = known.role, attribute.type == .date {
      return .date(Double(bitPattern: word))
    }
    return .word(word)
  }

  /// What a store with another image lacks or has otherwise.
  package func differences(in other: StoreImage) -> [String] {
    var all: [String] = []
    for (key, row) in rows {
      guard let kept = other.rows[key] else {
        all.append("\(key.entity)/\(key.primaryKey) is gone")
        continue
      }
      if row.version != kept.version {
        all.append("\(key.entity)/\(key.primaryKey): version \(row.version) became \(kept.version)")
      }
      for (slot, (before, after)) in zip(row.cells, kept.cells).enumerated()
      where !before.isKept(as: after) {
        all.append("\(key.entity)/\(key.primaryKey), slot \(slot): \(before) became \(after)")
      }
    }
    for key in other.rows.keys where rows[key] == nil {
      all.append("\(key.entity)/\(key.primaryKey) is new")
    }
    for (name, lists) in links where other.links[name] != lists {
      all.append("\(name): the links are others")
    }
    if metadata != other.metadata { all.append("\(metadata) became \(other.metadata)") }
    return all
  }
}
