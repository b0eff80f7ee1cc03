// SPDX-License-Identifier: MIT
public import Observation
public import SporadesGraph

/// A managed object whose reads Swift's `Observation` can track, for views and for loops of a program's own.
///
/// ```swift
/// let player = ObservedObject(player)
/// withObservationTracking {
///   label.text = player.name
/// } onChange: {
///   redrawLater()
/// }
/// ```
///
/// A tracked property announces a change when its value differs: at the end of a block, after `processPendingChanges()`, when a save of
/// others is merged, and after a rollback, an undo or a reset. The value is then the new one. Properties of related objects are tracked through an ``ObservedObject``
/// of the related object. A managed object that nobody observes in this way costs nothing more.
@dynamicMemberLookup
public final class ObservedObject<Object: ManagedObject>: Observable {
  /// The object. Reads of its own properties are not tracked.
  public let object: Object
  private let registrar = ObservationRegistrar()
  private var observation: ContextObservation?
  /// By key path of the property: announces a change if the value differs from the one that was read.
  private var tracked: [PartialKeyPath<Object>: () -> Void] = [:]

  /// Observes an object on the queue of its context.
  public init(_ object: Object) {
    self.object = object
    observation = object.managedObjectContext?.observe { [weak self] in self?.hear($0) }
  }

  /// The value of a property, or of an object behind it. Reading it notes the property for the tracking that runs.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<Object, Value>) -> Value {
    let value = object[keyPath: keyPath]
    track(keyPath, value, ==)
    registrar.access(self, keyPath: \.[dynamicMember: keyPath])
    return value
  }

  /// The value of a property, which the object itself sets.
  public subscript<Value: Equatable>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Object, Value>
  ) -> Value {
    get {
      let value = object[keyPath: keyPath]
      track(keyPath, value, ==)
      registrar.access(self, keyPath: \.[dynamicMember: keyPath as KeyPath<Object, Value>])
      return value
    }
    set { object[keyPath: keyPath] = newValue }
  }

  /// The object was deleted, or its context has given it up. Reading it notes it for the tracking that runs.
  public var isGone: Bool {
    track(\.hasLeft, object.hasLeft, ==)
    registrar.access(self, keyPath: \.isGone)
    return object.hasLeft
  }

  // MARK: - Changes

  private func track<Value: Equatable>(
    _ keyPath: KeyPath<Object, Value>, _ value: Value, _ isSame: @escaping (Value, Value) -> Bool
  ) {
    // because a tracking may have read another value before, which only this comparison knows
    tracked[keyPath]?()
    tracked[keyPath] = { [unowned self] in
      guard !isSame(object[keyPath: keyPath], value) else { return }
      tracked[keyPath] = nil
      announce(keyPath)
    }
  }

  private func announce<Value: Equatable>(_ keyPath: KeyPath<Object, Value>) {
    let isAboutLeaving = (keyPath as PartialKeyPath<Object>) == \Object.hasLeft
    if isAboutLeaving { return registrar.withMutation(of: self, keyPath: \.isGone) {} }
    registrar.withMutation(of: self, keyPath: \.[dynamicMember: keyPath]) {}
  }

  private func hear(_ event: ContextChange) {
    guard !tracked.isEmpty, event.name != .willSave else { return }
    for compare in Array(tracked.values) { compare() }
  }
}

extension ManagedObject {
  /// The object is deleted, or belongs to no context.
  fileprivate final var hasLeft: Bool { !isPresent || managedObjectContext == nil }
}
