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
  }

  static func record(_ name: String) { recorder?.names.withLock { $0.append(name) } }

  static func names<Root: ManagedObject>(of keyPath: PartialKeyPath<Root>) -> [String] {
    if let name = Root.propertyName(of: keyPath) { return [name] }
    let recorder = Recorder()
    $recorder.withValue(recorder) {
      _ = probe(Root.self)[keyPath: keyPath]
    }
    let names = recorder.names.withLock { $0 }
    precondition(
      !names.isEmpty,
      "\(keyPath) leads to no property of the model. Only stored properties can be fetched by.")
    return names
  }

  /// An object of the class that belongs to no context.
  static func probe<Object: ManagedObject>(_ type: Object.Type) -> Object {
    let object = type.init(ObjectSeed(home: ProbeHomes.home(for: type), key: RowKey(rawValue: 0)))
    object.state = [.probe, .gone]
    return object
  }
}
