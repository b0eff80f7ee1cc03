// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Reads what a ``ChangesWriter`` wrote, for the present model.
struct ChangesReader {
  private var reader: ByteReader
  private let model: ManagedObjectModel
  /// In the order of the names in the bytes.
  private var entities: [EntityShape] = []
  private var layouts: [RowLayout] = []
  private var joins: [Int] = []

  /// The bytes of a key, and those of a row without slots.
  private static let keySize = 12
  private static let rowSize = 20

  init(_ reader: ByteReader, _ model: ManagedObjectModel) throws(StoreError) {
    self.reader = reader
    self.model = model
    try readNames()
  }

  mutating func readAll() throws(StoreError) -> [ChangeSet] {
    var all: [ChangeSet] = []
    for _ in 0..<(try reader.count(ofAtLeast: 2)) { all.append(try readChanges()) }
    guard reader.left == 0 else { throw ByteReader.damage }
    return all
  }

  // MARK: - Names

  private mutating func readNames() throws(StoreError) {
    for _ in 0..<(try reader.count(ofAtLeast: 8)) {
      let name = try reader.text()
      guard let shape = model.shape(named: name) else { throw otherModel(name) }
      entities.append(shape)
    }
    for _ in 0..<(try reader.count(ofAtLeast: 16)) { try readLayout() }
    for _ in 0..<(try reader.count(ofAtLeast: 16)) {
      let (entity, relationship) = (try reader.text(), try reader.text())
      let join = model.joins.first { join in
        join.first.relationship.name == relationship
          && model.shape(numbered: join.first.entity).name == entity
      }
      guard let join else { throw otherModel(entity) }
      joins.append(join.index)
    }
  }

  private mutating func readLayout() throws(StoreError) {
    let name = try reader.text()
    guard let shape = model.shape(named: name), shape.rootNumber == shape.number else {
      throw otherModel(name)
    }
    let slots = try reader.list(ofAtLeast: 9) { (reader) throws(StoreError) -> (UInt8, String) in
      (try reader.number(), try reader.text())
    }
    let present = shape.layout.slots.map { ($0.kind.rawValue, $0.name) }
    guard slots.elementsEqual(present, by: ==) else { throw otherModel(name) }
    layouts.append(shape.layout)
  }

  private func otherModel(_ entity: String) -> StoreError {
    StoreError(
      .incompatibleModel([entity]),
      "The commit was made with another version of the model, in which \(entity) differs. Open the stores with "
        + "that version, so that the commit is finished, or discard the commit.")
  }

  private mutating func entry<Entry>(of list: [Entry]) throws(StoreError) -> Entry {
    let place: UInt32 = try reader.number()
    guard place < list.count else { throw ByteReader.damage }
    return list[Int(place)]
  }

  // MARK: - Change sets

  private mutating func readChanges() throws(StoreError) -> ChangeSet {
    let (author, contextName) = (try reader.optionalText(), try reader.optionalText())
    var inserted: [RowPage] = []
    for _ in 0..<(try reader.count(ofAtLeast: 12)) { inserted.append(try readPage()) }
    var updated: [UpdatedRows] = []
    for _ in 0..<(try reader.count(ofAtLeast: 12)) {
      let page = try readPage()
      updated.append(UpdatedRows(page: page, changedSlots: try readChangedSlots(of: page)))
    }
    let deleted = try readVersions().map { DeletedRow(key: $0.key, version: $0.version) }
    var links: [LinkChange] = []
    for _ in 0..<(try reader.count(ofAtLeast: 17)) { links.append(try readLinks()) }
    let expected = try readVersions()
    return ChangeSet(
      inserted: inserted, updated: updated, deleted: deleted, links: links, expected: expected,
      author: author, contextName: contextName)
  }

  private mutating func readVersions() throws(StoreError) -> [RowVersion] {
    var rows: [RowVersion] = []
    for _ in 0..<(try reader.count(ofAtLeast: 20)) {
      rows.append(RowVersion(key: try readKey(), version: try reader.number()))
    }
    return rows
  }

  private mutating func readKey() throws(StoreError) -> RowKey {
    let entity = try entry(of: entities)
    let number: Int64 = try reader.number()
    guard (1...RowKey.largestPrimaryKey).contains(number) else { throw ByteReader.damage }
    return RowKey(entity: entity.number, primaryKey: number)
  }

  // MARK: - Rows

  private mutating func readPage() throws(StoreError) -> RowPage {
    let layout = try entry(of: layouts)
    let count = try reader.count(ofAtLeast: Self.rowSize + layout.slots.count)
    var builder = RowPageBuilder(layout: layout, capacity: count)
    for _ in 0..<count {
      let key = try readKey()
      let version: Int64 = try reader.number()
      guard (1...RowLayout.largestVersion).contains(version),
        model.shape(numbered: key.entity).rootNumber == layout.rootEntity
      else { throw ByteReader.damage }
      builder.appendRow(key, version: version)
      for (slot, description) in layout.slots.enumerated() {
        try readSlot(slot, description.kind, &builder)
      }
    }
    return builder.finish()
  }

  /// Reads a slot of the builder's last row.
  private mutating func readSlot(
    _ slot: Int, _ kind: RowLayout.Kind, _ builder: inout RowPageBuilder
  ) throws(StoreError) {
    guard try reader.truth() else { return }
    switch kind {
    case .integer, .real:
      let word: UInt64 = try reader.number()
      builder.set(slot, to: word)
    case .truth: builder.set(slot, to: UInt64(try reader.truth() ? 1 : 0))
    case .reference: builder.set(slot, to: try readKey())
    case .text: builder.set(slot, to: try reader.text())
    case .bytes, .large: builder.set(slot, to: try reader.blob())
    }
  }

  private mutating func readChangedSlots(of page: RowPage) throws(StoreError) -> [UInt64] {
    let (count, width) = (page.layout.slots.count, page.layout.bitWords)
    var words: [UInt64] = []
    for place in 0..<page.count * width {
      let word: UInt64 = try reader.number()
      let room = count - place % width * 64
      guard room >= 64 || word >> UInt64(max(0, room)) == 0 else { throw ByteReader.damage }
      words.append(word)
    }
    return words
  }

  // MARK: - Links

  private mutating func readLinks() throws(StoreError) -> LinkChange {
    let join = try entry(of: joins)
    var change = LinkChange(join: join, isFirst: try reader.truth(), owner: try readKey())
    for _ in 0..<(try reader.count(ofAtLeast: 14)) { change.added.append(try readLink()) }
    for _ in 0..<(try reader.count(ofAtLeast: Self.keySize)) {
      change.removed.append(try readKey())
    }
    for _ in 0..<(try reader.count(ofAtLeast: 14)) { change.moved.append(try readLink()) }
    return change
  }

  private mutating func readLink() throws(StoreError) -> LinkChange.Link {
    .init(
      other: try readKey(), position: try reader.optionalNumber(),
      ownerPosition: try reader.optionalNumber())
  }
}
