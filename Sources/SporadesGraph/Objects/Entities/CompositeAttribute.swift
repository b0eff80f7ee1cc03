// SPDX-License-Identifier: MIT
import SporadesModel

/// A struct whose members are stored in a column each; the `@Composite` macro writes all of it.
///
/// 1. ``elements`` names every member once: an attribute, or a composite in turn.
/// 2. `init(from:)` reads and `write(to:)` writes every element, by the same names.
/// 3. ``elementKeyPaths`` has the key paths of every member that fetches may compare.
public protocol CompositeAttribute {
  static var elements: [PropertyDeclaration] { get }
  static var elementKeyPaths: [PropertyKeyPath] { get }
  init(from values: CompositeValues)
  func write(to values: inout CompositeValues)
}

/// What the elements of one composite attribute hold, by name.
public struct CompositeValues {
  private let elements: [AttributeDescription]
  private var values: [Value]
  /// Hears of enum elements that hold a raw value no case has.
  private var reportUnknownCase: ((String) -> Void)?

  /// The elements with what a list holds for them, in their order; all nil where it is no list.
  init(
    _ elements: [AttributeDescription], _ value: Value = .null,
    reportingUnknownCases report: ((String) -> Void)? = nil
  ) {
    self.elements = elements
    reportUnknownCase = report
    if case .list(let values) = value, values.count == elements.count {
      self.values = values
    } else {
      values = elements.map { CompositeValues.nothing($0) }
    }
  }

  /// The values in the order of the elements; those of a composite element are a list in turn.
  var value: Value { .list(values) }

  /// No element holds anything, and so there is no composite.
  var isNull: Bool { values.allSatisfy(Self.isNothing) }

  private static func isNothing(_ value: Value) -> Bool {
    if case .list(let values) = value { return values.allSatisfy(isNothing) }
    return value.isNull
  }

  private static func nothing(_ element: AttributeDescription) -> Value {
    element.type == .composite ? .list(element.elements.map(nothing)) : .null
  }

  private func index(of name: String) -> Int {
    guard let index = elements.firstIndex(where: { $0.name == name }) else {
      preconditionFailure(
        "The model's composite attribute has no element \(name). Add it to the model, or take it "
          + "out of the struct.")
    }
    return index
  }
}

// MARK: - Typed access

extension CompositeValues {
  public subscript<V: AttributeConvertible>(name: String) -> V {
    get { V(values[index(of: name)]) ?? V.absent }
    set { values[index(of: name)] = newValue.value }
  }

  public subscript<V: AttributeConvertible>(name: String) -> V? {
    get { V(values[index(of: name)]) }
    set { values[index(of: name)] = newValue?.value ?? .null }
  }

  /// An enum kept as its raw value.
  public subscript<V: RawRepresentable>(name: String) -> V where V.RawValue: AttributeConvertible {
    get {
      let raw: V.RawValue? = self[name]
      if let value = V(rawValue: raw ?? .absent) { return value }
      var defaultValue = Value.null
      if raw != nil {
        reportUnknownCase?(name)
        defaultValue = elements[index(of: name)].defaultValue
      }
      guard let stand = V.standIn(defaultValue) else {
        preconditionFailure(
          "The element \(name) holds a raw value that no case of \(V.self) has. Make it optional, "
            + "give it a default, or add the case.")
      }
      return stand
    }
    set { self[name] = newValue.rawValue }
  }

  public subscript<V: RawRepresentable>(name: String) -> V? where V.RawValue: AttributeConvertible {
    get {
      guard let raw: V.RawValue = self[name] else { return nil }
      if let value = V(rawValue: raw) { return value }
      reportUnknownCase?(name)
      return nil
    }
    set { self[name] = newValue?.rawValue }
  }

  public subscript<V: CompositeAttribute>(name: String) -> V {
    get { V(from: nested(index(of: name))) }
    set { setNested(index(of: name), newValue) }
  }

  public subscript<V: CompositeAttribute>(name: String) -> V? {
    get {
      let inner = nested(index(of: name))
      return inner.isNull ? nil : V(from: inner)
    }
    set { setNested(index(of: name), newValue) }
  }

  private func nested(_ index: Int) -> CompositeValues {
    let name = elements[index].name
    return CompositeValues(
      elements[index].elements, values[index],
      reportingUnknownCases: reportUnknownCase.map { report in { report("\(name).\($0)") } })
  }

  private mutating func setNested(_ index: Int, _ composite: (some CompositeAttribute)?) {
    var inner = CompositeValues(elements[index].elements)
    composite?.write(to: &inner)
    values[index] = inner.value
  }
}

extension AttributeConvertible {
  /// The value as this type; nil where it is null or of another type.
  fileprivate init?(_ value: Value) {
    guard let cell = Cell(value, as: Self.attributeType) else { return nil }
    switch cell {
    case .word(let word):
      self = unsafe [UInt8](repeating: 0, count: 1).withUnsafeBufferPointer {
        unsafe Self.load(word: word, bytes: $0.baseAddress.unsafelyUnwrapped)
      }
    case .bytes(let bytes):
      let place = BytePlace(offset: 0, length: bytes.count)
      self = unsafe (bytes + [0]).withUnsafeBufferPointer {
        unsafe Self.load(word: place.rawValue, bytes: $0.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
