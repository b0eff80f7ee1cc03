// SPDX-License-Identifier: MIT

extension Array {
  /// So many of the same. A context is made for each write, and `init(repeating:count:)` looks the
  /// type of the array up each time.
  static func filled(with element: Element, count: Int) -> [Element] {
    unsafe [Element](unsafeUninitializedCapacity: count) { memory, initialized in
      unsafe memory.initialize(repeating: element)
      initialized = count
    }
  }
}
