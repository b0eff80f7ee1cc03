// SPDX-License-Identifier: MIT
public import SporadesModel

// Typed access to attributes. The `@Entity` macro writes the calls: each names a property by its
// place in the class's declaration. The compiler picks the subscript by the property's type.
extension ManagedObject {
  /// The value of a required attribute; an empty value stands for a missing one.
  @inlinable
  public final subscript<V: AttributeConvertible>(property place: Int) -> V {
    get {
      if unsafe home.hearsReads { home.hear(readOf: self, place) }
      let slot = unsafe Int(home.places[place])
      guard slot >= 0, let row = unsafe row ?? loadRow(for: slot) else {
        return valueOutsideRow(place) ?? V.absent
      }
      guard unsafe !row.isNull(slot, home.slots) else { return V.absent }
      return unsafe load(row, slot)
    }
    set {
      if home.checksQueue { checkChange(place) }
      let slot = unsafe Int(home.places[place])
      guard slot >= 0 else { return setValueOutsideRow(place, newValue) }
      unsafe newValue.store(word: { setWord(slot, $0) }, bytes: { unsafe setBytes(slot, $0) })
    }
  }

  /// The value of an optional attribute.
  @inlinable
  public final subscript<V: AttributeConvertible>(property place: Int) -> V? {
    get {
      if unsafe home.hearsReads { home.hear(readOf: self, place) }
      let slot = unsafe Int(home.places[place])
      guard slot >= 0, let row = unsafe row ?? loadRow(for: slot) else {
        return valueOutsideRow(place)
      }
      guard unsafe !row.isNull(slot, home.slots) else { return nil }
      return unsafe load(row, slot)
    }
    set {
      if home.checksQueue { checkChange(place) }
      let slot = unsafe Int(home.places[place])
      guard slot >= 0 else { return setValueOutsideRow(place, newValue) }
      guard let newValue else { return setNull(slot) }
      unsafe newValue.store(word: { setWord(slot, $0) }, bytes: { unsafe setBytes(slot, $0) })
    }
  }

  @inlinable @unsafe
  final func load<V: AttributeConvertible>(_ row: PackedRow, _ slot: Int) -> V {
    let region = unsafe pageReference.unsafelyUnwrapped._withUnsafeGuaranteedRef {
      unsafe $0.byteRegion
    }
    return unsafe V.load(word: row.word(slot, home.slots, region), bytes: region.start)
  }

  /// An enum, stored as its raw value. If no case has the stored raw value, the context reports it
  /// and the property shows the default.
  @inlinable
  public final subscript<V: RawRepresentable>(property place: Int) -> V
  where V.RawValue: AttributeConvertible {
    get {
      let raw: V.RawValue = self[property: place]
      guard let value = V(rawValue: raw) else { return unknownCase(raw, V.self, place) }
      return value
    }
    set { self[property: place] = newValue.rawValue }
  }

  /// An optional enum, stored as its raw value. If no case has the stored raw value, the context
  /// reports it and the property shows nil.
  @inlinable
  public final subscript<V: RawRepresentable>(property place: Int) -> V?
  where V.RawValue: AttributeConvertible {
    get {
      guard let raw: V.RawValue = self[property: place] else { return nil }
      if let value = V(rawValue: raw) { return value }
      reportUnknownCase(raw, V.self, place)
      return nil
    }
    set { self[property: place] = newValue?.rawValue }
  }

  /// A `Codable` value, stored as the bytes that the attribute's transformer makes of it. If the bytes are
  /// no value of the type, the context reports it and the property shows nil or the default. The store
  /// keeps nil as null. (Optionals are `Codable` too, so a second overload for them would be
  /// ambiguous.)
  @_disfavoredOverload
  public final subscript<V: Codable>(property place: Int) -> V {
    get { transformed(place) ?? standIn(place) }
    set { setTransformed(place, isNothing(newValue) ? nil : newValue) }
  }

  /// A value of a type that no property can have. The setter makes the compiler say so, once for the
  /// property.
  @_disfavoredOverload
  public final subscript<V>(property place: Int) -> V {
    get {
      trap(
        "\(type(of: self)).\(propertyName(at: place)) has the type \(V.self), which no property can have."
      )
    }
    @available(
      *, unavailable,
      message:
        "no property of an entity can have this type. Make the type Codable, and its encoding is stored; mark a struct @Composite; give an enum raw values of type String, Int, Int16, Int32 or Int64; for a relationship write the class of an entity, or a Set or Array of one, which is never optional; or mark the property @Ignored, and it is kept out of the model."
    )
    set {}
  }

  // MARK: - Values that do not lie in the row

  /// The value of a transient property, or of a property whose value may lie in a file.
  @usableFromInline
  final func valueOutsideRow<V: AttributeConvertible>(_ place: Int) -> V? {
    guard let index = propertyIndex(at: place) else { return nil }
    if let slot = largeSlot(ofProperty: index) { return large(slot) }
    let value = extras?.transients[index] ?? transientDefault(index)
    return value.converted()
  }

  @usableFromInline
  final func setValueOutsideRow<V: AttributeConvertible>(_ place: Int, _ value: V?) {
    guard let index = propertyIndex(at: place) else { return }
    if let slot = largeSlot(ofProperty: index) {
      guard let value else { return setNull(slot) }
      return setLarge(slot, value.largeData)
    }
    setTransient(index, value?.value ?? .null)
  }

  private final func transientDefault(_ index: Int) -> Value {
    if case .attribute(let attribute) = home.shape.properties[index] {
      return attribute.description.defaultValue
    }
    return .null
  }
}
