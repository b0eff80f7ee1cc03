// SPDX-License-Identifier: MIT
import Observation
public import SporadesGraph
import SporadesModel

/// Notes the reads of a context's objects with Swift's registrar, and announces values that differ later.
///
/// Each property of each object is one key path of the tracker. The tracker keeps the values that were read last, because
/// an event names objects and no properties.
final class ReadTracker: Observable, ReadListener {
  /// The properties of an object that were read.
  private struct ReadObject {
    weak let object: ManagedObject?
    var values: [String: Value] = [:]
    /// One of the properties is a to-many relationship, which other objects change.
    var hasMembers = false
  }

  private let registrar = ObservationRegistrar()
  private var read: [ObjectIdentifier: ReadObject] = [:]
  private var observation: ContextObservation?
  /// The number of objects at which those that are gone are looked for.
  private var limit = 256

  init(_ context: ManagedObjectContext) {
    observation = context.observe { [weak self] in self?.hear($0) }
  }

  /// The name of a property of an object, for the registrar.
  private subscript(object: ObjectIdentifier, property: String) -> Value {
    read[object]?.values[property] ?? .null
  }

  // MARK: - Reads

  func hear(readOf object: ManagedObject, _ property: String) {
    let id = ObjectIdentifier(object)
    let value = object.untrackedValue(forKey: property)
    // because an object may have the address of one that is gone
    if let former = read[id], former.object === object {
      // An earlier tracking may have read another value.
      if let old = former.values[property], old != value { announce(id, property) }
    } else {
      makeRoom()
      read[id] = ReadObject(object: object)
    }
    read[id]?.values[property] = value
    if case .list = value { read[id]?.hasMembers = true }
    registrar.access(self, keyPath: \.[id, property])
  }

  /// Forgets the objects that are gone, now and then.
  private func makeRoom() {
    guard read.count >= limit else { return }
    read = read.filter { $0.value.object != nil }
    limit = max(256, read.count * 2)
  }

  // MARK: - Changes

  private func hear(_ event: ContextChange) {
    guard !read.isEmpty, event.name != .willSave else { return }
    if event.name == .invalidatedAllObjects { return compare(Array(read.keys)) }
    let sets = [
      event.insertedObjects, event.updatedObjects, event.refreshedObjects,
      event.invalidatedObjects, event.deletedObjects,
    ]
    var touched: Set<ObjectIdentifier> = []
    for objects in sets { for object in objects { touched.insert(ObjectIdentifier(object)) } }
    compare(read.compactMap { touched.contains($0.key) || $0.value.hasMembers ? $0.key : nil })
  }

  /// Announces the properties of the objects whose values differ from those that were read.
  private func compare(_ ids: [ObjectIdentifier]) {
    for id in ids {
      guard let former = read[id], let object = former.object else { continue }
      for (property, value) in former.values
      where object.untrackedValue(forKey: property) != value {
        read[id]?.values[property] = nil
        announce(id, property)
      }
    }
  }

  private func announce(_ id: ObjectIdentifier, _ property: String) {
    registrar.withMutation(of: self, keyPath: \.[id, property]) {}
  }
}

extension ManagedObjectContext {
  /// Whether Swift's `Observation` tracks the reads of the context's objects, for views and loops of a program's own.
  ///
  /// ```swift
  /// context.tracksReads = true
  /// withObservationTracking {
  ///   label.text = player.name
  /// } onChange: {
  ///   redrawLater()
  /// }
  /// ```
  ///
  /// A change of a property that was read is announced if its value differs: at the end of a block, after
  /// `processPendingChanges()`, when a save of others is merged, and after a rollback, an undo or a reset. The value is then the new one. Every read
  /// of the context's objects takes some microseconds more, and the context remembers the values that were read, so set it
  /// for a context that shows objects, and not for one that works through many. Reads in other contexts cost nothing.
  ///
  /// Set it on the context's queue.
  public final var tracksReads: Bool {
    get { readListener != nil }
    set {
      guard newValue != tracksReads else { return }
      readListener = newValue ? ReadTracker(self) : nil
    }
  }
}
