// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

extension Value {
  /// The text that a closure of a mapping writes for the value. A null stays one where the closure takes no optional.
  func written<Input>(by inverse: (Input) throws -> ImportValue) throws -> ImportValue {
    if let input: Input = converted() { return try inverse(input) }
    guard isNull else {
      throw CoercionRefusal("the closure `writing` takes \(Input.self), which the value is not.")
    }
    return .null
  }

  /// The value as a type that a closure of a mapping makes; nil if it is not of the type.
  fileprivate func converted<Output>() -> Output? {
    switch Output.self {
    case let type as any ComposedOutput.Type: return type.make(of: self) as? Output
    case let type as any RawRepresentable.Type: return enumeration(type) as? Output
    default: return forms.lazy.compactMap { $0 as? Output }.first
    }
  }

  private func enumeration<Output: RawRepresentable>(_ type: Output.Type) -> Output? {
    let raw: Output.RawValue? = converted()
    return raw.flatMap { Output(rawValue: $0) }
  }

  /// The value in each Swift type of which an import makes it.
  private var forms: [Any] {
    let forms: [Any?] =
      switch self {
      case .null, .list, .objectID: []
      case .boolean(let truth): [truth, "\(truth)"]
      case .integer(let number):
        [
          number, Int(exactly: number), Int32(exactly: number), Int16(exactly: number),
          Double(exactly: number), Decimal(number), "\(number)",
        ]
      case .double(let number):
        [number, Float(number), Int(exactly: number), Decimal(string: "\(number)"), "\(number)"]
      case .decimal(let number):
        [number, Double("\(number)"), Int("\(number)"), number.description]
      case .string(let text): [text]
      case .date(let date): [date]
      case .data(let data): [data, data.base64EncodedString()]
      case .uuid(let id): [id, id.uuidString]
      case .url(let url): [url, url.absoluteString]
      }
    return forms.compactMap(\.self) + [self]
  }

  /// The elements of a list in a type; nil if one of them is not of the type.
  fileprivate func elements<Element>() -> [Element]? {
    guard case .list(let values) = self else { return nil }
    let elements: [Element] = values.compactMap { $0.converted() }
    return elements.count == values.count ? elements : nil
  }
}

/// A type of which a closure makes several values, or none.
private protocol ComposedOutput {
  static func make(of value: Value) -> Self?
}

extension Optional: ComposedOutput {
  fileprivate static func make(of value: Value) -> Self? {
    if value.isNull { return .some(nil) }
    let wrapped: Wrapped? = value.converted()
    return wrapped.map { .some($0) }
  }
}

extension Array: ComposedOutput {
  fileprivate static func make(of value: Value) -> Self? { value.elements() }
}

extension Set: ComposedOutput {
  fileprivate static func make(of value: Value) -> Self? {
    guard let elements: [Element] = value.elements() else { return nil }
    return Set(elements)
  }
}
