// SPDX-License-Identifier: MIT
import SporadesModel

/// The identity map of one inheritance tree in one context: one object for each primary key.
///
/// The map holds its objects strongly. A sweep releases those that nobody else holds, so the last
/// release of an object outside its queue touches nothing here. Keys of fetched rows are mostly
/// consecutive. The hash keeps them neighbours, with a free place after every sixteen: a removal or
/// a failed search runs to the next free place. Scattered keys make longer runs, and the map then
/// grows to twice as many places as objects.
@safe
final class ObjectMap {
  private typealias Entry = ManagedObject?

  private(set) var count = 0
  private var capacity = 0
  /// The objects themselves, without a copy of their keys: a successful search needs the object in
  /// the cache anyway.
  private var entries: UnsafeMutablePointer<Entry>?

  deinit { unsafe release(entries, capacity) }

  private func release(_ entries: UnsafeMutablePointer<Entry>?, _ capacity: Int) {
    guard let entries = unsafe entries else { return }
    // One by one, because `deinitialize(count:)` asks the runtime at each place what an optional is.
    for index in 0..<capacity { unsafe entries[index] = nil }
    unsafe entries.deallocate()
  }

  private func start(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: key &+ (key &>> 4) &+ (key &>> 18)) & (capacity - 1)
  }

  subscript(key: Int64) -> ManagedObject? {
    guard let entries = unsafe entries else { return nil }
    // A search passes objects of other keys. It does not count references of these, because each may be
    // far from the processor's caches.
    let passed = unsafe UnsafeRawPointer(entries).assumingMemoryBound(
      to: Unmanaged<ManagedObject>?.self)
    var index = start(key)
    while let object = unsafe passed[index] {
      if unsafe object._withUnsafeGuaranteedRef({ $0.primaryKey == key }) {
        return unsafe entries[index]
      }
      index = (index + 1) & (capacity - 1)
    }
    return nil
  }

  /// Adds an object whose key the map does not have.
  func insert(_ object: ManagedObject) {
    if (count + 1) * 8 > capacity * 7 { resize(max(16, capacity * 2)) }
    guard let entries = unsafe entries else { return }
    var index = start(object.primaryKey)
    var passed = 0
    while unsafe entries[index] != nil {
      index = (index + 1) & (capacity - 1)
      passed += 1
    }
    unsafe entries[index] = object
    count += 1
    if passed > Self.longestRun, count * 2 > capacity { resize(capacity * 2) }
  }

  /// Neighbours pass at most sixteen others.
  private static let longestRun = 20

  func reserve(_ additional: Int) {
    var wanted = max(16, capacity)
    while (count + additional) * 8 > wanted * 7 { wanted *= 2 }
    if wanted > capacity { resize(wanted) }
  }

  func remove(_ key: Int64) {
    guard let entries = unsafe entries else { return }
    var index = start(key)
    while let object = unsafe entries[index], object.primaryKey != key {
      index = (index + 1) & (capacity - 1)
    }
    guard unsafe entries[index] != nil else { return }
    unsafe entries[index] = nil
    count -= 1
    closeGap(at: index)
  }

  /// Moves entries back into the gap, so that a search still finds them.
  private func closeGap(at emptied: Int) {
    guard let entries = unsafe entries else { return }
    var gap = emptied
    var index = (gap + 1) & (capacity - 1)
    while let object = unsafe entries[index] {
      let home = start(object.primaryKey)
      if (index - home) & (capacity - 1) >= (index - gap) & (capacity - 1) {
        unsafe entries[gap] = object
        unsafe entries[index] = nil
        gap = index
      }
      index = (index + 1) & (capacity - 1)
    }
  }

  /// Drops the links between the objects. Most objects hold none, and are not retained here.
  func dropLinks() {
    guard let entries = unsafe entries else { return }
    let passed = unsafe UnsafeRawPointer(entries).assumingMemoryBound(
      to: Unmanaged<ManagedObject>?.self)
    for index in 0..<capacity {
      guard let object = unsafe passed[index],
        unsafe object._withUnsafeGuaranteedRef({ $0.extras != nil })
      else { continue }
      unsafe entries[index]?.extras?.dropLinks()
    }
  }

  func visit(_ body: (ManagedObject) -> Void) {
    guard let entries = unsafe entries else { return }
    for index in 0..<capacity { if let object = unsafe entries[index] { body(object) } }
  }

  private var keptAtLastSweep = 1024

  /// Sweeps if the map has twice as many objects as the last sweep left.
  func sweepIfGrown() {
    guard count > 2 * keptAtLastSweep else { return }
    sweep()
    keptAtLastSweep = max(1024, count)
  }

  /// Releases the unchanged objects that only the map holds.
  func sweep() {
    guard let entries = unsafe entries else { return }
    var kept = 0
    for index in 0..<capacity where unsafe entries[index] != nil {
      if unsafe entries[index]?.hasChanges == true
        || !isKnownUniquelyReferenced(&entries[index])
      {
        kept += 1
      } else {
        unsafe entries[index] = nil
      }
    }
    count = kept
    resize(capacityFor(kept))
  }

  private func capacityFor(_ count: Int) -> Int {
    var capacity = 16
    while (count + 1) * 8 > capacity * 7 { capacity *= 2 }
    return capacity
  }

  func removeAll() {
    unsafe release(entries, capacity)
    unsafe entries = nil
    capacity = 0
    count = 0
  }

  private func resize(_ larger: Int) {
    let (former, formerCapacity) = unsafe (entries, capacity)
    let memory = UnsafeMutablePointer<Entry>.allocate(capacity: larger)
    unsafe memory.initialize(repeating: nil, count: larger)
    unsafe entries = memory
    capacity = larger
    guard let former = unsafe former else { return }
    for index in 0..<formerCapacity {
      guard let key = unsafe former[index]?.primaryKey else { continue }
      var place = start(key)
      while unsafe memory[place] != nil { place = (place + 1) & (capacity - 1) }
      // The object moves to an empty place without a change of its reference count.
      unsafe (memory + place).moveInitialize(from: former + index, count: 1)
    }
    unsafe former.deallocate()
  }
}
