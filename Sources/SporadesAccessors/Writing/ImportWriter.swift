// SPDX-License-Identifier: MIT

/// Writes the imports that accessors need.
///
/// Rules:
/// 1. An import is public where a public declaration names a type of the module, and internal elsewhere.
/// 2. The compiler refuses an import without a level beside one with a level in another file. So a level is
///    written where a file of the target has one, and where imports are internal by default.
struct ImportWriter {
  private let module: String
  private let table: TypeTable

  /// The lines of the imports.
  static func lines(
    _ accessors: [Accessor], _ made: MadeClasses, module: String, in table: TypeTable
  ) -> [String] {
    let writer = ImportWriter(module: module, table: table)
    var levels = writer.levels(of: accessors)
    if !made.text.isEmpty {
      let level = writer.level(of: made)
      for name in made.imports.union(["CoreData"]) where name != module {
        levels[name] = max(levels[name] ?? .internal, level)
      }
    }
    return levels.keys.sorted().flatMap { writer.lines($0, levels[$0] ?? .internal) }
  }

  /// The level of the widest declaration: public for a class that the text makes.
  private func level(of made: MadeClasses) -> AccessLevel {
    let isMade = table.declarations.scopes.contains {
      $0.kind == .type(.class) && table.declarations.files[$0.file].name.isEmpty
    }
    if isMade { return .public }
    let levels = made.extended.flatMap { table.top($0, in: 0) }.compactMap { member in
      if case .type(let number) = member { table.nominal(of: number) } else { nil }
    }.map(table.level)
    return min(levels.max() ?? .internal, .public)
  }

  /// The level that each module is needed at.
  private func levels(of accessors: [Accessor]) -> [String: AccessLevel] {
    var levels: [String: AccessLevel] = accessors.isEmpty ? [:] : ["CoreData": .internal]
    for accessor in accessors {
      for name in accessor.modules where ![module, "Swift", "__C"].contains(name) {
        // The module CoreData hands on Foundation, which hands on the others.
        let imported = KnownTypes.modules.contains(name) ? "CoreData" : name
        levels[imported] = max(levels[imported] ?? .internal, accessor.visible)
      }
    }
    return levels
  }

  private func lines(_ name: String, _ level: AccessLevel) -> [String] {
    let imports = table.declarations.files.flatMap(\.imports).filter { $0.module == name }
    var seen: Set<String> = []
    let attributes = imports.flatMap(\.attributes).filter { seen.insert($0).inserted }
    let plain = (attributes + ["import \(name)"]).joined(separator: " ")
    let word = level >= .public ? "public" : level == .package ? "package" : "internal"
    let leveled = (attributes + [word, "import \(name)"]).joined(separator: " ")
    // Without the feature, either all imports of a module have a level or none has.
    let hasLevels = imports.contains { $0.access != nil }
    if hasLevels, !imports.contains(where: { $0.access == nil }) { return [leveled] }
    return level > .internal ? choice(leveled, plain) : [plain]
  }

  /// The lines for imports that are internal by default, and for those that are not.
  private func choice(_ internalByDefault: String, _ other: String) -> [String] {
    if internalByDefault == other { return [other] }
    return [
      "#if hasFeature(InternalImportsByDefault)", "  \(internalByDefault)", "#else", "  \(other)",
      "#endif",
    ]
  }
}
