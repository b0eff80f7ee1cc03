// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The changed objects of a context by tree, and by the values and links that fetches compared.
///
/// A context with many changes builds the index in its first fetch. A loop of fetches and inserts
/// then costs no more than its own fetches and inserts. Indexed objects carry a mark, and announce
/// changes of their values; setters of other objects pay nothing. Code that replaces rows in other
/// ways drops the index.
final class PendingIndex {
  /// A value that two rows can have in common.
  private enum Key: Hashable {
    case nothing
    case number(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    case uuid(UUID)
    /// An object of a relationship's inheritance tree.
    case object(UInt64)

    init?(_ value: Value) {
      switch value {
      case .null: self = .nothing
      case .boolean(let truth): self = .number(truth ? 1 : 0)
      case .integer(let number): self = .number(number)
      case .double(let number): self = number.isNaN ? .nothing : .real(number)
      case .date(let date):
        let seconds = date.timeIntervalSinceReferenceDate
        self = seconds.isNaN ? .nothing : .real(seconds)
      case .string(let text): self = .text(text)
      case .url(let url): self = .text(url.absoluteString)
      case .data(let bytes): self = .data(bytes)
      case .uuid(let id): self = .uuid(id)
      case .objectID(let id): self = .object(id.key.identity)
      case .decimal, .list: return nil
      }
    }
  }

  private struct Column: Hashable {
    let root: Int
    let slot: Int
  }

  /// The content of a slot.
  private enum Content {
    case attribute(AttributeShape)
    case reference
  }

  private var byRoot: [Int: [ManagedObject]] = [:]
  private var columns: [Column: [Key: [ManagedObject]]] = [:]
  private var contents: [Column: Content] = [:]
  /// Indexed objects whose values may have changed since.
  private var loose: [ManagedObject] = []
  private var count = 0
  /// The number of objects that candidate searches have examined.
  private(set) var examined = 0

  /// The least number of changes for an index. With fewer, a fetch examines all of them.
  static let least = 64

  /// Adds the objects that were listed since the last call, and updates those whose values may have
  /// changed.
  func update(with listed: [ManagedObject]) {
    for object in listed[count...] {
      byRoot[object.home.shape.rootNumber, default: []].append(object)
      add(object)
    }
    count = listed.count
    let open = loose
    loose = []
    for object in open { add(object) }
  }

  private func add(_ object: ManagedObject) {
    object.state.insert(.indexed)
    for (column, content) in contents where column.root == object.home.shape.rootNumber {
      add(object, column, content)
    }
  }

  private func add(_ object: ManagedObject, _ column: Column, _ content: Content) {
    guard let page = object.page else { return }
    let key: Key? =
      switch content {
      case .attribute(let attribute): Key(object.value(of: attribute))
      case .reference:
        page.reference(object.rowIndex, slot: column.slot).map { .object($0.identity) } ?? .nothing
      }
    if let key { columns[column]?[key, default: []].append(object) }
  }

  /// Marks an object whose values are about to change.
  func noteChange(of object: ManagedObject) { loose.append(object) }

  // MARK: - Asking

  var roots: Set<Int> {
    Set(byRoot.filter { $0.value.contains(where: \.isRowChanged) }.keys)
  }

  func touches(_ family: ClosedRange<Int>, ofRoot root: Int) -> Bool {
    byRoot[root]?.contains { family.contains($0.home.shape.number) && $0.isRowChanged } == true
  }

  /// The changed objects of the fetched tree. If the predicate demands a value, only the objects
  /// that had this value when they were indexed; some of them may have changed since.
  func candidates(for fetch: StoreFetch) -> [ManagedObject] {
    let root = fetch.entity.rootNumber
    guard let (content, slot, key) = fetch.predicate.flatMap({ demandedValue($0, fetch.entity) })
    else {
      examined += byRoot[root]?.count ?? 0
      return byRoot[root]?.filter(\.isRowChanged) ?? []
    }
    let column = Column(root: root, slot: slot)
    if columns[column] == nil {
      columns[column] = [:]
      contents[column] = content
      examined += byRoot[root]?.count ?? 0
      for object in byRoot[root] ?? [] { add(object, column, content) }
    }
    var seen: Set<ObjectIdentifier> = []
    let found = columns[column]?[key] ?? []
    examined += found.count
    // because only undo brings back an object that was made and deleted here, and undo drops the
    // index
    let living = found.filter { !$0.state.isSuperset(of: .withdrawn) }
    if living.count < found.count { columns[column]?[key] = living }
    return living.filter { $0.isRowChanged && seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The slot and value that the predicate demands of every object; nil if it demands none.
  private func demandedValue(
    _ predicate: FetchPredicate, _ entity: EntityShape
  ) -> (content: Content, slot: Int, key: Key)? {
    switch predicate {
    case .and(let parts): return parts.lazy.compactMap { self.demandedValue($0, entity) }.first
    case .comparison(let comparison):
      guard comparison.comparator == .equal, comparison.quantifier == .direct,
        comparison.options == [], case .keyPath(let path) = comparison.left, path.count == 1,
        case .constant(let value) = comparison.right
      else { return nil }
      switch entity[path[0]] {
      case .attribute(let attribute): return demandedValue(value, of: attribute, entity)
      case .relationship(let relationship): return demandedObject(value, of: relationship)
      case .fetched, nil: return nil
      }
    default: return nil
    }
  }

  private func demandedValue(
    _ value: Value, of attribute: AttributeShape, _ entity: EntityShape
  ) -> (content: Content, slot: Int, key: Key)? {
    // A value that can not be read has no key. It must fail the fetch, so the index leaves large
    // slots out.
    guard let slot = attribute.slot, !entity.layout.isLarge(slot), agree(attribute.type, value)
    else { return nil }
    return Key(value).map { (.attribute(attribute), slot, $0) }
  }

  /// A link to no object is left out: a row may still name an object that this context deleted.
  private func demandedObject(
    _ value: Value, of relationship: RelationshipShape
  ) -> (content: Content, slot: Int, key: Key)? {
    guard case .objectID = value, case .reference(let slot, _) = relationship.storage else {
      return nil
    }
    return Key(value).map { (.reference, slot, $0) }
  }

  /// Whether, for values of the type, equal keys mean equal values and the other way round.
  private func agree(_ type: AttributeType, _ value: Value) -> Bool {
    switch (type, value) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.string, .string),
      (.boolean, .boolean), (.float, .double), (.double, .double), (.date, .date), (.uuid, .uuid),
      (.uri, .url), (.binary, .data):
      true
    case (.decimal, _), (.transformable, _), (.undefined, _), (.objectID, _),
      (.composite, _):
      false
    case (_, .null): true
    default: false
    }
  }
}

extension ManagedObjectContext {
  /// The index of the context's changes, brought up to date; nil if there are few changes.
  final func indexedChanges() -> PendingIndex? {
    guard changes.listed.count >= PendingIndex.least else { return nil }
    let index = pendingIndex ?? PendingIndex()
    pendingIndex = index
    index.update(with: changes.listed)
    return index
  }
}
