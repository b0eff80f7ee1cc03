// SPDX-License-Identifier: MIT
/// Sorts of few elements by a text or a number.
///
/// For each closure that tells an order, and for each kind of collection, the compiler makes a copy of the standard
/// library's whole sort, some three kilobytes. These functions share one for each kind of key.
extension Sequence {
  /// The elements in the order of their texts. Those with equal texts keep their order.
  package func inOrder(of text: (Element) -> String) -> [Element] {
    arranged { places(of: $0.map(text)) }
  }

  /// The elements in the order of their numbers. Those with equal numbers keep their order.
  package func inNumberOrder(of number: (Element) -> Int) -> [Element] {
    arranged { places(of: $0.map(number)) }
  }

  /// The elements in the order of their texts' bytes, as version hashes and archives need it. Swift's own order
  /// compares canonical forms.
  package func inByteOrder(of text: (Element) -> String) -> [Element] {
    arranged { byteOrder(of: $0.map(text)) }
  }

  private func arranged(_ order: ([Element]) -> [Int]) -> [Element] {
    let elements = Array(self)
    guard elements.count > 1 else { return elements }
    return order(elements).map { elements[$0] }
  }
}

extension Sequence<String> {
  /// The texts in their order.
  package func inOrder() -> [String] { inOrder { $0 } }
  /// The texts in the order of their bytes.
  package func inByteOrder() -> [String] { inByteOrder { $0 } }
}

extension Sequence<Int> {
  /// The numbers in their order.
  package func inOrder() -> [Int] { inNumberOrder { $0 } }
}

extension Dictionary where Key == String {
  /// The entries in the order of their keys.
  package var inOrder: [Element] { inOrder { $0.key } }
}

extension Dictionary where Key == Int {
  /// The entries in the order of their keys.
  package var inOrder: [Element] { inNumberOrder { $0.key } }
}

@inline(never)
private func places(of texts: [String]) -> [Int] {
  texts.indices.sorted { texts[$0] < texts[$1] }
}

@inline(never)
private func places(of numbers: [Int]) -> [Int] {
  numbers.indices.sorted { numbers[$0] < numbers[$1] }
}

@inline(never)
private func byteOrder(of texts: [String]) -> [Int] {
  texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
}
