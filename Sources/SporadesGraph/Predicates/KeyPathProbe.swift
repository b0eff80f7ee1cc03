// SPDX-License-Identifier: MIT
import SporadesModel

/// Finds the names of the properties a key path leads through.
///
/// A class names its own properties. A path through several objects is followed: an object that
/// stands for its class is read through the key path, and writes down what is asked of it.
enum KeyPathProbe {
  @TaskLocal static var recorder: Recorder?

  final class Recorder: Sendable {
    let names = Guarded<[String]>([])
    /// The elements of the composite attribute that was asked for last.
    let elements = Guarded<[AttributeDescription]>([])
    /// The element that answers with another value than before, to see whether it is asked for.
    let marked: [String]

    init(marking element: [String] = []) { marked = element }
  }

  static func record(_ name: String) { recorder?.names.withLock { $0.append(name) } }

  static func names<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> [String] {
    if let name = Root.propertyName(of: keyPath) { return [name] }
    let recorder = Recorder()
    let plain = follow(keyPath, recorder)
    let names = recorder.names.withLock { $0 }
    precondition(
      !names.isEmpty,
      "\(keyPath) leads to no property of the model. Only stored properties can be fetched by.")
    let elements = recorder.elements.withLock { $0 }
    return elements.isEmpty ? names : names + CompositeTail(elements).names(of: keyPath, plain)
  }

  /// The values of a composite attribute of a probe.
  static func composite(_ elements: [AttributeDescription]) -> CompositeValues {
    guard let recorder else { return CompositeValues(elements) }
    recorder.elements.withLock { $0 = elements }
    var values = CompositeValues(
      elements, CompositeTail.value(elements, marking: recorder.marked[...]))
    values.isProbe = true
    return values
  }

  /// What a key path reads of a probe, as text.
  static func follow<Root: ManagedObject>(
    _ keyPath: PartialKeyPath<Root>, _ recorder: Recorder
  ) -> String {
    $recorder.withValue(recorder) { String(reflecting: probe(Root.self)[keyPath: keyPath]) }
  }

  /// An object of the class that belongs to no context.
  static func probe<Object: ManagedObject>(_ type: Object.Type) -> Object {
    let object = type.init(ObjectSeed(home: ProbeHomes.home(for: type), key: RowKey(rawValue: 0)))
    object.state = [.probe, .gone]
    return object
  }
}
