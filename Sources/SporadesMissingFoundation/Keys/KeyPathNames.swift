// SPDX-License-Identifier: MIT
import SporadesModel

/// The names of properties by their key paths, which Linux does not keep.
///
/// A module adds the properties of its classes. Where a property leads to an optional object, it also adds the key paths of that
/// object's properties behind the optional, as `\Owner?.?.name`; the table then finds `\Note.owner?.name` by its two parts.
public enum KeyPathNames {
  /// The names that were added, and those that were found since.
  private struct Table {
    var added: [AnyKeyPath: String] = [:]
    /// The added key paths of each type that one begins at.
    var steps: [ObjectIdentifier: [AnyKeyPath]] = [:]
    var found: [AnyKeyPath: String?] = [:]
  }

  private static let table = Guarded(Table())
  /// The tables of the program's modules, which are read at the first question.
  private static let ofProgram: Void = {
    for case let table as KeyPathTable.Type in ProgramClasses.named("_ManagedKeyPathTable") {
      add(table.names)
    }
  }()
  /// The longest key path that the table puts together.
  private static let mostSteps = 4

  /// Adds the names of properties. A later name replaces an earlier one of the same key path.
  public static func add(_ names: [AnyKeyPath: String]) {
    table.withLock { table in
      for (path, name) in names {
        let root = ObjectIdentifier(type(of: path).rootType)
        if table.added.updateValue(name, forKey: path) == nil {
          table.steps[root, default: []].append(path)
        }
      }
      table.found = [:]
    }
  }

  /// The names along a key path, with points between them; nil for a key path of computed properties that nobody has added.
  public static func name(of path: AnyKeyPath) -> String? {
    _ = ofProgram
    return table.withLock { table in
      if let known = table.added[path] { return known }
      if let known = table.found[path] { return known }
      let name =
        compose(path, from: nil, "", table, stepsLeft: mostSteps) ?? namesOfStoredProperties(path)
      table.found[path] = .some(name)
      return name
    }
  }

  /// Finds a key path that begins as the given one and goes on by added steps.
  private static func compose(
    _ path: AnyKeyPath, from start: AnyKeyPath?, _ name: String, _ table: Table, stepsLeft: Int
  ) -> String? {
    guard stepsLeft > 0 else { return nil }
    let place = start.map { type(of: $0).valueType } ?? type(of: path).rootType
    for step in table.steps[ObjectIdentifier(place)] ?? [] {
      guard let next = table.added[step],
        let longer = start.map({ $0.appending(path: step) }) ?? step
      else { continue }
      let longerName = name.isEmpty ? next : "\(name).\(next)"
      if areSame(longer, path) { return longerName }
      if let whole = compose(path, from: longer, longerName, table, stepsLeft: stepsLeft - 1) {
        return whole
      }
    }
    return nil
  }

  /// The names of stored properties, which the standard library shows: `\User.boss?.name`.
  private static func namesOfStoredProperties(_ path: AnyKeyPath) -> String? {
    let root = "\\\(type(of: path).rootType)."
    let text = path.debugDescription
    guard text.hasPrefix(root) else { return nil }
    let names = text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" }
    let isPlain = names.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isXIDContinue || scalar == "."
    }
    return isPlain && !names.isEmpty && !names.contains("..") ? String(names) : nil
  }

  /// Whether two key paths lead the same way. A path that was put together at an optional is not `==` to the written one,
  /// and has the same hash.
  private static func areSame(_ one: AnyKeyPath, _ other: AnyKeyPath) -> Bool {
    one == other
      || (type(of: one) == type(of: other) && one.hashValue == other.hashValue)
  }
}

extension AnyKeyPath {
  /// The names along the key path for key-value coding; nil for a key path that ``KeyPathNames`` does not know.
  public var _kvcKeyPathString: String? { KeyPathNames.name(of: self) }
}

/// The names of the properties of a module, which the plugin GenerateAccessors writes.
open class KeyPathTable {
  /// The names by key paths, also by those that begin at an optional object.
  open class var names: [AnyKeyPath: String] { [:] }
}
