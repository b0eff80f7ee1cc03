// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The changed objects of a context by tree, and by the value of attributes that were asked for.
///
/// A context with many changes makes one when it fetches, so that a loop of fetches and inserts costs
/// what it fetches and inserts. Objects in it carry a mark, and say so when a value of theirs
/// changes; setters of others pay nothing. Whatever replaces rows by other ways drops the index.
final class PendingIndex {
  /// A value two rows can agree in.
  private enum Key: Hashable {
    case nothing
    case number(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    case uuid(UUID)

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
      case .decimal, .objectID, .list: return nil
      }
    }
  }

  private struct Column: Hashable {
    let root: Int
    let slot: Int
  }

  private var byRoot: [Int: [ManagedObject]] = [:]
  private var columns: [Column: [Key: [ManagedObject]]] = [:]
  private var attributes: [Column: AttributeShape] = [:]
  /// Objects in the index that may have other values now.
  private var loose: [ManagedObject] = []
  private var count = 0
  /// How many objects were handed out to be looked at.
  private(set) var examined = 0

  /// Contexts with fewer changes look at all of them.
  static let least = 64

  /// Takes in what was changed since it was last asked.
  func catchUp(with listed: [ManagedObject]) {
    for object in listed[count...] {
      byRoot[object.home.shape.rootNumber, default: []].append(object)
      enter(object)
    }
    count = listed.count
    let open = loose
    loose = []
    for object in open { enter(object) }
  }

  private func enter(_ object: ManagedObject) {
    object.state.insert(.indexed)
    for (column, attribute) in attributes where column.root == object.home.shape.rootNumber {
      enter(object, column, attribute)
    }
  }

  private func enter(_ object: ManagedObject, _ column: Column, _ attribute: AttributeShape) {
    guard !object.isFault, let key = Key(object.value(of: attribute)) else { return }
    columns[column]?[key, default: []].append(object)
  }

  /// The object's values are about to change.
  func release(_ object: ManagedObject) { loose.append(object) }

  // MARK: - Asking

  var roots: Set<Int> {
    Set(byRoot.filter { $0.value.contains(where: \.hasChanges) }.keys)
  }

  func touches(_ family: ClosedRange<Int>, ofRoot root: Int) -> Bool {
    byRoot[root]?.contains { family.contains($0.home.shape.number) && $0.hasChanges } == true
  }

  /// Changed objects of the fetched tree: all of them, or those that have the value the predicate
  /// asks for, which may be more than really do.
  func candidates(for fetch: StoreFetch) -> [ManagedObject] {
    let root = fetch.entity.rootNumber
    guard let (attribute, slot, key) = fetch.predicate.flatMap({ sought($0, fetch.entity) }) else {
      examined += byRoot[root]?.count ?? 0
      return byRoot[root]?.filter(\.hasChanges) ?? []
    }
    let column = Column(root: root, slot: slot)
    if columns[column] == nil {
      columns[column] = [:]
      attributes[column] = attribute
      examined += byRoot[root]?.count ?? 0
      for object in byRoot[root] ?? [] { enter(object, column, attribute) }
    }
    var seen: Set<ObjectIdentifier> = []
    let found = columns[column]?[key] ?? []
    examined += found.count
    // what was made and deleted here can only come back by undo, which drops the index
    let living = found.filter { !$0.state.isSuperset(of: [.inserted, .deleted]) }
    if living.count < found.count { columns[column]?[key] = living }
    return living.filter { $0.hasChanges && seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The attribute and the value that every object satisfying the predicate has.
  private func sought(
    _ predicate: FetchPredicate, _ entity: EntityShape
  ) -> (attribute: AttributeShape, slot: Int, key: Key)? {
    switch predicate {
    case .and(let parts): return parts.lazy.compactMap { self.sought($0, entity) }.first
    case .comparison(let comparison):
      guard comparison.comparator == .equal, comparison.quantifier == .direct,
        comparison.options == [], case .keyPath(let path) = comparison.left, path.count == 1,
        case .constant(let value) = comparison.right,
        case .attribute(let attribute)? = entity[path[0]], let slot = attribute.slot,
        // A value that can not be read has no key, and must fail the fetch.
        !entity.layout.isLarge(slot)
      else { return nil }
      guard agree(attribute.type, value) else { return nil }
      return Key(value).map { (attribute, slot, $0) }
    default: return nil
    }
  }

  /// Whether an object's values of the type equal the value exactly when their keys do.
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
  /// The index of the changes where there are many, up to date.
  final func indexedChanges() -> PendingIndex? {
    guard changes.listed.count >= PendingIndex.least else { return nil }
    let index = pendingIndex ?? PendingIndex()
    pendingIndex = index
    index.catchUp(with: changes.listed)
    return index
  }
}
