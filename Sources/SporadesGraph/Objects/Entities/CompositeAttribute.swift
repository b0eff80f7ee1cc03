// SPDX-License-Identifier: MIT
import SporadesModel

/// A struct that is stored with one column for each member. The `@Composite` macro writes the
/// requirements.
///
/// 1. ``elements`` names every member once, as an attribute or as a nested composite.
/// 2. `init(from:)` reads and `write(to:)` writes every element, under the same names.
/// 3. ``elementKeyPaths`` lists a key path for every member that fetches may compare.
public protocol CompositeAttribute {
  /// The members of the struct, as declarations of attributes.
  static var elements: [PropertyDeclaration] { get }
  /// The key paths of the members.
  static var elementKeyPaths: [PropertyKeyPath] { get }
  /// Makes the struct from the values of its elements.
  init(from values: CompositeValues)
  /// Writes the values of the struct's elements.
  func write(to values: inout CompositeValues)
}

/// The values of one composite attribute's elements, by name.
public struct CompositeValues {
  private let elements: [AttributeDescription]
  private var values: [Value]
  /// Called with the name of an enum element whose raw value belongs to no case, the raw value, and the enum.
  private var reportUnknownCase: UnknownCaseReport?
  typealias UnknownCaseReport = (_ element: String, _ value: String, _ type: String) -> Void

  /// Distributes the values of a list to the elements, in order. If the value is not such a list,
  /// all elements are nil.
  init(
    _ elements: [AttributeDescription], _ value: Value = .null,
    reportingUnknownCases report: UnknownCaseReport? = nil
  ) {
    self.elements = elements
    reportUnknownCase = report
    if case .list(let values) = value, values.count == elements.count {
      self.values = values
    } else {
      values = elements.map { CompositeValues.nothing($0) }
    }
  }

  /// The values as a list, in the order of the elements. A nested composite is a nested list.
  var value: Value { .list(values) }

  /// Whether all elements are nil. The composite itself then counts as nil.
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
      trap(
        "The model's composite attribute has no element \(name). Add it to the model, or take it "
          + "out of the struct.")
    }
    return index
  }
}

// MARK: - Typed access

extension CompositeValues {
  /// The value of a required element.
  public subscript<V: AttributeConvertible>(name: String) -> V {
    get { V(values[index(of: name)]) ?? V.absent }
    set { values[index(of: name)] = newValue.value }
  }

  /// The value of an optional element.
  public subscript<V: AttributeConvertible>(name: String) -> V? {
    get { V(values[index(of: name)]) }
    set { values[index(of: name)] = newValue?.value ?? .null }
  }

  /// The value of a required enum element, stored as its raw value.
  public subscript<V: RawRepresentable>(name: String) -> V where V.RawValue: AttributeConvertible {
    get {
      let raw: V.RawValue? = self[name]
      if let value = V(rawValue: raw ?? .absent) { return value }
      var defaultValue = Value.null
      if let raw {
        reportUnknownCase?(name, String(reflecting: raw), "\(V.self)")
        defaultValue = elements[index(of: name)].defaultValue
      }
      guard let stand = V.standIn(defaultValue) else {
        trap(
          "The element \(name) has a raw value that belongs to no case of \(V.self). Make it optional, "
            + "give it a default, or add the case.")
      }
      return stand
    }
    set { self[name] = newValue.rawValue }
  }

  /// The value of an optional enum element, stored as its raw value.
  public subscript<V: RawRepresentable>(name: String) -> V? where V.RawValue: AttributeConvertible {
    get {
      guard let raw: V.RawValue = self[name] else { return nil }
      if let value = V(rawValue: raw) { return value }
      reportUnknownCase?(name, String(reflecting: raw), "\(V.self)")
      return nil
    }
    set { self[name] = newValue?.rawValue }
  }

  /// The value of a required nested composite.
  public subscript<V: CompositeAttribute>(name: String) -> V {
    get { V(from: nested(index(of: name))) }
    set { setNested(index(of: name), newValue) }
  }

  /// The value of an optional nested composite.
  public subscript<V: CompositeAttribute>(name: String) -> V? {
    get {
      let inner = nested(index(of: name))
      return inner.isNull ? nil : V(from: inner)
    }
    set { setNested(index(of: name), newValue) }
  }

  /// A value of a type that no member of a composite can have. The setter makes the compiler say so,
  /// once for the member.
  @_disfavoredOverload
  public subscript<V>(name: String) -> V {
    get {
      trap(
        "The element \(name) has the type \(V.self), which no member of a composite can have.")
    }
    @available(
      *, unavailable,
      message:
        "no member of a composite can have this type. Use numbers, Bool, String, Date, Data, UUID, URL, Decimal, enums with such raw values, and structs marked @Composite; move the property to the entity, where any Codable type is an attribute; or make the whole struct Codable in place of @Composite."
    )
    set {}
  }

  private func nested(_ index: Int) -> CompositeValues {
    let name = elements[index].name
    return CompositeValues(
      elements[index].elements, values[index],
      reportingUnknownCases: reportUnknownCase.map { report in { report("\(name).\($0)", $1, $2) } }
    )
  }

  private mutating func setNested(_ index: Int, _ composite: (some CompositeAttribute)?) {
    var inner = CompositeValues(elements[index].elements)
    composite?.write(to: &inner)
    values[index] = inner.value
  }
}

extension AttributeConvertible {
  /// Converts a value to this type; nil if it is null or of another type.
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
