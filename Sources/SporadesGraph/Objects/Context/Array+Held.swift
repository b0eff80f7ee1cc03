// SPDX-License-Identifier: MIT

extension [ManagedObject] {
  /// Calls `body` with each object, in order.
  ///
  /// The array holds its objects during the call, so no references to them are counted. A loop with `for` counts one for
  /// each object, and a save goes ten times over all changed objects.
  @inline(__always)
  func forEachHeld(_ body: (ManagedObject) -> Void) {
    // An array of class instances holds plain references, one after the other.
    guard let start = unsafe withUnsafeBytes({ $0.baseAddress }) else { return }
    let references = unsafe start.assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
    for index in 0..<count { unsafe references[index]._withUnsafeGuaranteedRef(body) }
    extendLifetime(self)
  }

  /// Whether each object satisfies the condition. It counts no references, as ``forEachHeld(_:)``.
  @inline(__always)
  func allHeld(_ condition: (ManagedObject) -> Bool) -> Bool {
    guard let start = unsafe withUnsafeBytes({ $0.baseAddress }) else { return true }
    let references = unsafe start.assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
    for index in 0..<count {
      guard unsafe references[index]._withUnsafeGuaranteedRef(condition) else { return false }
    }
    extendLifetime(self)
    return true
  }
}
