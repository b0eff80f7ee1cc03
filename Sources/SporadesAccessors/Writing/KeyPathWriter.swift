// SPDX-License-Identifier: MIT

/// Writes the table of key paths and names, because Linux keeps no names of properties with accessors. The module CoreData finds the
/// table by the name of its class.
enum KeyPathWriter {
  /// A property that other files of the module can name.
  private struct Property {
    let owner: String
    let name: String
    let condition: String?
  }

  /// The lines of the table; none where no class has a property.
  static func lines(_ accessors: [Accessor], in table: TypeTable) -> [String] {
    var properties = managed(accessors) + plain(in: table, beside: accessors)
    properties += inherited(properties, in: table)
    guard !properties.isEmpty else { return [] }
    var lines = [
      "", "nonisolated final class _ManagedKeyPathTable: KeyPathTable {",
      // Key paths belong to no actor, but the compiler forms those of the main actor's properties there alone.
      "  @MainActor private static func made() -> [AnyKeyPath: String] {",
      "    var names: [AnyKeyPath: String] = [:]",
    ]
    for property in properties {
      if let condition = property.condition { lines.append("    #if \(condition)") }
      let quoted = SwiftNames.quoted(property.name)
      lines += [
        "    names[\\\(property.owner).\(quoted)] = \"\(property.name)\"",
        "    names[\\\(property.owner)?.?.\(quoted)] = \"\(property.name)\"",
      ]
      if property.condition != nil { lines.append("    #endif") }
    }
    return lines + [
      "    return names", "  }", "  override class var names: [AnyKeyPath: String] {",
      "    let made: @MainActor () -> [AnyKeyPath: String] = made",
      "    return unsafe unsafeBitCast(made, to: (() -> [AnyKeyPath: String]).self)()", "  }", "}",
    ]
  }

  private static func managed(_ accessors: [Accessor]) -> [Property] {
    accessors.compactMap { accessor in
      guard case .property = accessor.body, accessor.visible > .fileprivate,
        accessor.availability.isEmpty
      else { return nil }
      return Property(
        owner: accessor.extended, name: accessor.property, condition: accessor.condition)
    }
  }

  /// The other properties of the classes that have managed ones, and those of the classes that a model asks for.
  private static func plain(in table: TypeTable, beside accessors: [Accessor]) -> [Property] {
    let owners = Set(accessors.filter { $0.visible > .fileprivate }.map(\.extended))
    return table.declarations.properties.compactMap { property in
      let scope = table.declarations.scopes[property.scope]
      let inherited = scope.kind == .extension ? scope.access : nil
      guard (property.access ?? inherited ?? .internal) > .fileprivate,
        scope.availability.isEmpty, let nominal = table.nominal(of: property.scope),
        nominal.module == table.module
      else { return nil }
      let owner = owner(nominal)
      let isMade = table.declarations.files[scope.file].name.isEmpty
      guard isMade || owners.contains(owner), SwiftNames.isPlain(property.name) else { return nil }
      return Property(owner: owner, name: property.name, condition: property.condition)
    }
  }

  /// The properties of superclasses, because the key path of a property differs between a class and its superclass.
  private static func inherited(_ properties: [Property], in table: TypeTable) -> [Property] {
    let byOwner = Dictionary(grouping: properties, by: \.owner)
    return table.declarations.scopes.indices.flatMap { number -> [Property] in
      let scope = table.declarations.scopes[number]
      guard scope.kind == .type(.class), scope.availability.isEmpty,
        let nominal = table.nominal(of: number), isVisible(nominal, in: table)
      else { return [] }
      let owner = owner(nominal)
      var named = Set((byOwner[owner] ?? []).map(\.name))
      return ancestors(of: nominal, in: table).flatMap { byOwner[Self.owner($0)] ?? [] }.compactMap
      {
        guard named.insert($0.name).inserted else { return nil }
        let conditions = Set([scope.condition, $0.condition].compactMap { $0 })
        return Property(
          owner: owner, name: $0.name,
          condition: conditions.isEmpty
            ? nil : conditions.sorted().map { "(\($0))" }.joined(separator: " && "))
      }
    }
  }

  private static func owner(_ nominal: Nominal) -> String {
    nominal.path.map(SwiftNames.quoted).joined(separator: ".")
  }

  /// Another file of the module can name the type, and key paths begin at it.
  private static func isVisible(_ nominal: Nominal, in table: TypeTable) -> Bool {
    let line = sequence(first: nominal, next: \.outer)
    return line.allSatisfy { table.level(of: $0) > .fileprivate } && !table.isGeneric(nominal)
  }

  /// The superclasses in the module, the nearest first.
  private static func ancestors(of nominal: Nominal, in table: TypeTable) -> [Nominal] {
    var found: [Nominal] = []
    var next = nominal
    // A class that inherits from itself does not compile, and ends here.
    while let base = TypeResolver.bases(of: next, in: table).first(where: { $0.kind == .class }),
      base != nominal, !found.contains(base)
    {
      found.append(base)
      next = base
    }
    return found
  }
}
