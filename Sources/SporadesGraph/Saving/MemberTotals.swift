// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesModel
import SporadesStore

/// The counts or sums over one one-to-many relationship, which follow what a save changes.
///
/// Rules:
/// 1. The new total is the stored total, plus the values of the members that the save brings, minus
///    those of the members that it takes. No other member is read.
/// 2. That is exact, because the save is refused unless the rows of the owner and of all these
///    members are still those that the context read. A save that changes the total writes the
///    owner's row too, so its version tells of members that others brought or took.
/// 3. Where addition may round, where no total is stored, and where triggers may have changed
///    members, the store adds up the members that the save does not change.
struct MemberTotals {
  private let context: ManagedObjectContext
  private let derived: DerivedAttribute
  private let slot: Int
  private var changes: [ObjectIdentifier: Change] = [:]
  /// The owners whose members the save changes, each of them once.
  private(set) var owners: [ManagedObject] = []

  /// The changes of a save among the members of one owner.
  private struct Change {
    var total = CheckedTotal()
    /// The members that the total counts after the save, but before it with another value or not
    /// at all.
    var brought: [ManagedObject] = []
    /// The members that the stored total counts with a value that they do not have any more.
    var taken: [ManagedObject] = []
  }

  /// Nil if the attribute is no total over one one-to-many relationship.
  init?(
    _ derived: DerivedAttribute, among changed: [ManagedObject], _ context: ManagedObjectContext
  ) throws(StoreError) {
    guard let slot = derived.memberSlot else { return nil }
    self.context = context
    self.derived = derived
    self.slot = slot
    let family = derived.steps[0].destinationFamily
    for member in changed where family.contains(member.home.shape.number) { try add(member) }
  }

  private mutating func add(_ member: ManagedObject) throws(StoreError) {
    // A deleted object may be a fault. A failure is reported, and ends the save.
    guard unsafe member.loadRow(for: slot) != nil else { return }
    let former = member.basePlace
    let formerOwner = former?.reference(slot)
    let owner = member.isRemoved ? nil : member.reference(slot)
    guard formerOwner != nil || owner != nil else { return }
    let formerValue = try value(of: former)
    let value = derived.source.map { member.value(of: $0) } ?? .integer(1)
    if formerOwner == owner && formerValue == value { return }
    if let formerOwner {
      note(formerOwner) {
        $0.total.subtract(formerValue)
        $0.taken.append(member)
      }
    }
    if let owner {
      note(owner) {
        $0.total.add(value)
        $0.brought.append(member)
      }
    }
  }

  private func value(of former: RowPlace?) throws(StoreError) -> Value {
    guard let source = derived.source else { return .integer(1) }
    return try former.map { (row) throws(StoreError) in
      try row.page.storedValue(row.index, of: source)
    } ?? .null
  }

  private mutating func note(_ key: RowKey, _ body: (inout Change) -> Void) {
    let owner = context.object(forKey: key)
    if changes[ObjectIdentifier(owner)] == nil { owners.append(owner) }
    body(&changes[ObjectIdentifier(owner), default: Change()])
  }

  // MARK: - One owner

  /// The total after the save; nil if only the members themselves tell it.
  func value(of owner: ManagedObject) throws(StoreError) -> Value? {
    let change = changes[ObjectIdentifier(owner)] ?? Change()
    if let total = try followed(owner, change) { return total }
    guard let rest = try storedTotal(of: owner, without: change.taken) else { return nil }
    let brought = change.brought.map { member in
      derived.source.map { member.value(of: $0) } ?? .integer(1)
    }
    // because the sum of no number is null, where a total is zero
    return AggregateFunction.sum.value(of: [.integer(0), rest] + brought)
  }

  /// The stored total with the changes of the save, if that is exact.
  private func followed(
    _ owner: ManagedObject, _ change: Change
  ) throws(StoreError) -> Value? {
    if owner.isInserted {
      return owner.mayHaveStoredMembers(of: derived.steps[0])
        ? nil : change.total.value(as: derived.attribute.type)
    }
    guard context.saving.followsTotals, let base = owner.basePlace else { return nil }
    let stored = try base.page.storedValue(base.index, of: derived.attribute)
    guard !stored.isNull, !context.stack.hasTriggers else { return nil }
    if change.brought.isEmpty && change.taken.isEmpty { return stored }
    var total = change.total
    total.add(stored, of: derived.attribute.type)
    return total.value(as: derived.attribute.type)
  }

  /// The total of the stored members; nil if their references to the owner have no name.
  private func storedTotal(
    of owner: ManagedObject, without taken: [ManagedObject]
  ) throws(StoreError) -> Value? {
    guard owner.mayHaveStoredMembers(of: derived.steps[0]) else { return .integer(0) }
    guard var fetch = context.memberFetch(derived.steps[0], of: owner.objectID) else { return nil }
    if !taken.isEmpty {
      let ids = taken.map { Value.objectID($0.objectID) }
      let isTaken = FetchPredicate.comparison(.init(.subject, .isIn, .constant(.list(ids))))
      fetch.predicate = fetch.predicate.map { $0 && !isTaken }
    }
    let column = derived.source.map { FetchExpression.aggregate(.sum, [$0.name]) }
    return try context.source.answer(TableQuestion(fetch, [column ?? .objectCount])).value
  }
}

/// A sum that knows whether it is exact.
struct CheckedTotal {
  private var whole: Int128 = 0
  private var decimal: Decimal = 0
  private var isExact = true
  /// The powers of ten that decimals may have here: fewer than fit one number, so that no addition
  /// rounds, and more than amounts of anything need. Of a decimal beyond them, a total may have been
  /// rounded before.
  private static let places = -12..<24

  mutating func add(_ value: Value) { add(value, 1) }
  mutating func subtract(_ value: Value) { add(value, -1) }

  /// Adds a total that an attribute of the type holds. A real number counts if it is whole and so
  /// small that its type holds all whole numbers below it.
  mutating func add(_ stored: Value, of type: AttributeType) {
    guard case .double(let number) = stored else { return add(stored) }
    guard let whole = Int64(exactly: number), abs(number) < type.largestExactWhole else {
      isExact = false
      return
    }
    add(.integer(whole))
  }

  private mutating func add(_ value: Value, _ sign: Int) {
    switch value {
    case .null: return
    case .integer(let number): whole += Int128(sign) * Int128(number)
    case .decimal(let number): add(sign < 0 ? -number : number)
    default: isExact = false
    }
  }

  private mutating func add(_ number: Decimal) {
    decimal += number
    if ![number, decimal].allSatisfy({ $0.isZero || $0.lies(in: Self.places) }) { isExact = false }
  }

  /// The total; nil if it may be rounded, or if the type may round it.
  func value(as type: AttributeType) -> Value? {
    guard isExact else { return nil }
    guard decimal.isZero else {
      var all = self
      guard let number = Int64(exactly: whole), type == .decimal else { return nil }
      all.add(Decimal(number))
      return all.isExact ? .decimal(all.decimal) : nil
    }
    guard let number = Int64(exactly: whole) else { return nil }
    if type.slotKind == .real && Double(number).magnitude >= type.largestExactWhole { return nil }
    return .integer(number)
  }
}

extension Decimal {
  /// Whether each digit stands for one of the powers of ten.
  fileprivate func lies(in places: Range<Int>) -> Bool {
    guard !isNaN else { return false }
    let digits = significand.magnitude.description.utf8.count
    return exponent >= places.lowerBound && exponent + digits <= places.upperBound
  }
}

extension AttributeType {
  /// A real number of the type below this one can be any whole number.
  fileprivate var largestExactWhole: Double { self == .float ? 0x1p24 : 0x1p53 }
}
