// SPDX-License-Identifier: MIT

/// Writes the file that gives the `@NSManaged` declarations of a target their code.
///
/// The compiler takes `@NSManaged` on Linux and leaves the symbols of the accessors undefined. The file defines
/// them in extensions of the same classes, under the names that the compiler uses.
package enum AccessorFile {
  /// Writes the file for the Swift files of a module, or answers the findings that stand in its way.
  ///
  /// - Parameters:
  ///   - module: The name of the module, as `-module-name` gives it.
  ///   - sources: All Swift files of the target, since types of each can be those of properties.
  ///   - classes: What models tell of the classes; empty if no model is known.
  ///   - made: The classes that models ask for, whose types the sources can name.
  package static func make(
    module: String, sources: [SwiftSource], classes: [ManagedClass] = [],
    made: MadeClasses = MadeClasses()
  ) -> AccessorAnswer {
    var declarations = Declarations()
    for source in sources { DeclarationReader.read(source, into: &declarations) }
    DeclarationReader.read(SwiftSource(name: "", text: made.text), into: &declarations)
    let table = TypeTable(declarations, module: module)
    var planner = AccessorPlanner(table: table, classes: classes)
    planner.run()
    let findings = declarations.findings + planner.findings
    guard findings.isEmpty else {
      let order = Dictionary(
        declarations.files.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first })
      return .findings(
        findings.sorted { one, other in
          (order[one.file] ?? 0, one.line, one.column)
            < (order[other.file] ?? 0, other.line, other.column)
        })
    }
    return .text(
      AccessorWriter.text(planner.accessors, made, module: module, in: table))
  }

  /// The declarations of a target, each with the symbols that its accessors need.
  ///
  /// A build that ends with undefined references can be explained with them.
  package static func symbols(
    module: String, sources: [SwiftSource], classes: [ManagedClass] = []
  ) -> [String: String] {
    var declarations = Declarations()
    for source in sources { DeclarationReader.read(source, into: &declarations) }
    var planner = AccessorPlanner(
      table: TypeTable(declarations, module: module), classes: classes)
    planner.run()
    var names: [String: String] = [:]
    for accessor in planner.accessors {
      for symbol in accessor.symbols { names[symbol] = accessor.description }
    }
    return names
  }
}
