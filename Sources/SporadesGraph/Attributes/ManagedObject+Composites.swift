// SPDX-License-Identifier: MIT
import SporadesModel

// Composite attributes: one struct in Swift, one slot in the row for each element.
extension ManagedObject {
  /// The value of a required composite attribute.
  public final subscript<V: CompositeAttribute>(property place: Int) -> V {
    get { V(from: composite(V.self, place)) }
    set { setComposite(place, newValue) }
  }

  /// The value of an optional composite attribute; nil if all its elements are null.
  public final subscript<V: CompositeAttribute>(property place: Int) -> V? {
    get {
      let values = composite(V.self, place)
      return values.isNull ? nil : V(from: values)
    }
    set { setComposite(place, newValue) }
  }

  private final func composite<V: CompositeAttribute>(
    _ type: V.Type, _ place: Int
  ) -> CompositeValues {
    if unsafe home.hearsReads { home.hear(readOf: self, place) }
    guard let attribute = compositeAttribute(at: place) else { return CompositeValues([]) }
    let path = attribute.name
    return CompositeValues(attribute.description.elements, value(of: attribute)) {
      [home, objectID] element, value, type in
      home.context?.report(
        .unknownRawValue(objectID, property: "\(path).\(element)", value: value, type: type))
    }
  }

  private final func setComposite(_ place: Int, _ composite: (some CompositeAttribute)?) {
    if home.checksQueue { home.checkQueue(self, propertyName(at: place)) }
    guard let attribute = compositeAttribute(at: place) else { return }
    var values = CompositeValues(attribute.description.elements)
    composite?.write(to: &values)
    set(values.value, of: attribute)
  }

  private final func compositeAttribute(at place: Int) -> AttributeShape? {
    guard let index = propertyIndex(at: place),
      case .attribute(let attribute) = home.shape.properties[index]
    else { return nil }
    return attribute
  }
}
