// SPDX-License-Identifier: MIT

/// Objects in an order, each once; appending is cheap, and so are finding and erasing, since an
/// index is made when it is first needed.
struct MemberList {
  private var slots: [ManagedObject?] = []
  private var places: [ObjectIdentifier: Int]?
  private var holes = 0

  init(_ objects: [ManagedObject] = []) { slots = objects }

  var isEmpty: Bool { slots.count == holes }

  var objects: [ManagedObject] { slots.compactMap(\.self) }

  /// Appends an object that is not in the list.
  mutating func append(_ object: ManagedObject) {
    places?[ObjectIdentifier(object)] = slots.count
    slots.append(object)
  }

  mutating func contains(_ object: ManagedObject) -> Bool { place(of: object) != nil }

  /// Takes an object out, and says whether it was there.
  mutating func erase(_ object: ManagedObject) -> Bool {
    guard let place = place(of: object) else { return false }
    places?[ObjectIdentifier(object)] = nil
    if place == slots.count - 1 {
      slots.removeLast()
    } else {
      // because closing the gap again and again would be quadratic
      slots[place] = nil
      holes += 1
    }
    return true
  }

  private mutating func place(of object: ManagedObject) -> Int? {
    if slots.count < 16 { return slots.firstIndex { $0 === object } }
    if places == nil {
      slots.removeAll { $0 == nil }
      holes = 0
      var index = [ObjectIdentifier: Int](minimumCapacity: slots.count)
      for (place, slot) in slots.enumerated() {
        if let slot { index[ObjectIdentifier(slot)] = place }
      }
      places = index
    }
    return places?[ObjectIdentifier(object)]
  }
}
