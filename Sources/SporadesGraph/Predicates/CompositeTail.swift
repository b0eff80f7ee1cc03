// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Finds which element of a composite attribute a key path ends in.
///
/// Members of structs can not tell that they are read. So the key path is followed again and again,
/// each time with another value in one element: the element that changes what comes out is the one.
struct CompositeTail {
  private let elements: [AttributeDescription]

  init(_ elements: [AttributeDescription]) { self.elements = elements }

  /// The names after the attribute's own; none where the key path leads to the whole.
  func names<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>, _ plain: String) -> [String] {
    let read = Self.leaves(elements).filter {
      KeyPathProbe.follow(keyPath, .init(marking: $0)) != plain
    }
    if Self.isComposite(type(of: keyPath).valueType) {
      return Self.commonStart(read.map { Array($0.dropLast()) })
    }
    guard let only = read.first, read.count == 1 else {
      preconditionFailure(
        """
        \(keyPath) ends in no single element of a composite attribute. Name a stored member of the \
        struct, or write the key path as text: "address.city".
        """)
    }
    return only
  }

  private static func leaves(_ elements: [AttributeDescription]) -> [[String]] {
    elements.flatMap { element in
      element.type == .composite
        ? leaves(element.elements).map { [element.name] + $0 } : [[element.name]]
    }
  }

  private static func commonStart(_ paths: [[String]]) -> [String] {
    var start = paths.first ?? []
    for path in paths { while !path.starts(with: start) { start.removeLast() } }
    return start
  }

  private static func isComposite(_ type: Any.Type) -> Bool {
    type is any CompositeAttribute.Type || isOptionalComposite(type)
  }

  // MARK: - What elements answer

  /// Values for all elements, another one for the marked.
  static func value(
    _ elements: [AttributeDescription], marking marked: ArraySlice<String>
  ) -> Value {
    .list(
      elements.map { element in
        let isMarked = marked.first == element.name
        guard element.type == .composite else { return value(element.type, isMarked ? 2 : 1) }
        return value(element.elements, marking: isMarked ? marked.dropFirst() : [])
      })
  }

  private static func value(_ type: AttributeType, _ number: Int) -> Value {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64(number))
    case .boolean: .boolean(number == 2)
    case .double, .float: .double(Double(number))
    case .decimal: .decimal(Decimal(number))
    case .string: .string("\(number)")
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1_000_000))
    case .uuid:
      .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))))
    case .uri: URL(string: "probe:\(number)").map { .url($0) } ?? .null
    case .binary, .transformable: .data(Data(repeating: UInt8(number), count: number))
    case .undefined, .objectID, .composite: .null
    }
  }

  /// A case for a raw value of a probe, where no case has it.
  static func standIn<V: RawRepresentable>(_ type: V.Type, for raw: V.RawValue) -> V?
  where V.RawValue: AttributeConvertible {
    let isMarked = raw.value == .integer(2) || raw.value == .string("2")
    if let cases = (type as? any CaseIterable.Type)?.twoCases {
      return (isMarked ? cases.last : cases.first) as? V
    }
    return nil
  }
}

extension CaseIterable {
  fileprivate static var twoCases: [Any] { Array(allCases.prefix(2)) }
}
