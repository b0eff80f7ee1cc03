// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import Synchronization

/// An entity of one stack, as its objects find it: the description, and the places of properties by their names.
///
/// The place of a property is its index in the shape. Generated code names a property by a literal, which lies at one place in
/// memory; the entity notes the address of each literal that it has seen, so that later accesses hash no text.
@safe
final class BoundEntity: @unchecked Sendable {
  // @unchecked: after `init`, nothing changes but the notes, which are atomic. Models in use do not change.

  /// The cells that typed accessors read and write.
  struct Cells {
    /// The type of the attribute; nil if the value lies elsewhere than in a cell of the row.
    let type: AttributeType?
    /// Saves compute the value.
    let isDerived: Bool
  }

  let description: NSEntityDescription
  let shape: EntityShape
  /// The cells of each property, by place.
  let cells: [Cells]
  /// The coding of each attribute, by place.
  let codings: [ValueCoding?]
  /// Addresses of literals with the places of the properties that they name, found by hashes of the addresses.
  private let notes: UnsafeMutablePointer<Atomic<UInt64>>
  private let mask: Int
  private static let steps = 8

  init(_ description: NSEntityDescription, _ shape: EntityShape) {
    self.description = description
    self.shape = shape
    cells = shape.properties.map { property in
      guard case .attribute(let attribute) = property, let slot = attribute.slot,
        !shape.layout.isLarge(slot)
      else { return Cells(type: nil, isDerived: false) }
      return Cells(type: attribute.type, isDerived: attribute.description.isDerived)
    }
    codings = shape.properties.map { property in
      if case .attribute(let attribute) = property {
        ValueCoding(attribute.description)
      } else {
        nil
      }
    }
    // A getter and a setter of a property may have literals of their own, in several modules.
    var count = 16
    while count < shape.properties.count * 8 { count *= 2 }
    mask = count - 1
    unsafe notes = .allocate(capacity: count)
    for index in 0..<count { unsafe (notes + index).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe notes.deinitialize(count: mask + 1)
    unsafe notes.deallocate()
  }

  /// The entity of an object.
  @inline(__always)
  static func of(_ object: NSManagedObject) -> BoundEntity {
    guard let entity = object.heldEntity else {
      trap(
        "\(type(of: object)) belongs to a stack of Sporades, whose entities are no NSEntityDescription."
      )
    }
    // because `makeObject(_:)` has checked it
    return unsafe Swift.unsafeDowncast(entity, to: BoundEntity.self)
  }

  /// The place of the property that a literal names; nil if the entity has none.
  @inline(__always)
  func place(of key: StaticString) -> Int? {
    guard key.hasPointerRepresentation else { return shape.index(of: key.description) }
    let address = unsafe UInt64(UInt(bitPattern: key.utf8Start))
    // An address has 48 bits, and its place the others.
    let note = unsafe notes[hash(address)].load(ordering: .relaxed)
    return note >> 16 == address ? Int(note & 0xFFFF) : find(key, address)
  }

  @inline(__always)
  private func hash(_ address: UInt64) -> Int {
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
  }

  /// Finds a note that lies behind others, or the property by its name, which it notes where there is room.
  @inline(never)
  private func find(_ key: StaticString, _ address: UInt64) -> Int? {
    let start = hash(address)
    for step in 0..<Self.steps {
      let note = unsafe notes[(start + step) & mask].load(ordering: .relaxed)
      if note >> 16 == address { return Int(note & 0xFFFF) }
      if note == 0 { break }
    }
    guard let place = shape.index(of: key.description) else { return nil }
    guard address >> 48 == 0, place <= 0xFFFF else { return place }
    let note = address << 16 | UInt64(place)
    for step in 0..<Self.steps {
      let (isNoted, _) = unsafe notes[(start + step) & mask].compareExchange(
        expected: 0, desired: note, ordering: .relaxed)
      if isNoted { break }
    }
    return place
  }
}

extension AttributeType {
  /// Whether cells of the type can be read as those of another one: whole numbers have the same words.
  func hasCells(as other: AttributeType) -> Bool {
    self == other || isOfWholeNumbers && other.isOfWholeNumbers
  }

  var isOfWholeNumbers: Bool { self == .integer16 || self == .integer32 || self == .integer64 }
}
