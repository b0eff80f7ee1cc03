// SPDX-License-Identifier: MIT

/// Writes accessors as the text of a Swift file.
struct AccessorWriter {
  /// What one extension holds.
  private struct Group: Equatable {
    let extended: String
    let availability: [String]
    let condition: String?

    init(_ accessor: Accessor) {
      extended = accessor.extended
      availability = accessor.availability
      condition = accessor.condition
    }
  }

  private var lines: [String] = []

  /// The text of the file for the accessors and the classes of models.
  ///
  /// Apple's compilers give `@NSManaged` its code, and Xcode makes the classes; so they find nothing in the file.
  static func text(
    _ accessors: [Accessor], _ made: MadeClasses, module: String, in table: TypeTable
  ) -> String {
    var writer = AccessorWriter()
    writer.lines.append(
      "// Written for the @NSManaged declarations of the module \(module). Changes here are lost.")
    guard !accessors.isEmpty || !made.text.isEmpty else { return writer.text }
    writer.lines.append("#if !canImport(ObjectiveC)")
    writer.lines += ImportWriter.lines(accessors, made, module: module, in: table)
    if !accessors.isEmpty { writer.writeCheck(module) }
    writer.write(accessors)
    writer.lines += KeyPathWriter.lines(accessors, in: table)
    if !made.text.isEmpty { writer.lines.append(made.text) }
    writer.lines.append("#endif")
    return writer.text
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  private mutating func write(_ accessors: [Accessor]) {
    var current: Group?
    for accessor in accessors {
      let group = Group(accessor)
      if group != current {
        if let current { end(current) }
        begin(group)
        current = group
      }
      write(accessor)
    }
    if let current { end(current) }
  }

  // MARK: - The check of names

  /// Writes a property whose name is the sentence that a linker shows if the compiler names symbols differently.
  private mutating func writeCheck(_ module: String) {
    let context = Nominal.Context.type(Nominal(.module(module), Self.checkClass, .class))
    let type = ResolvedType.optional(
      .nominal(.swift("Set", .struct), [[.nominal(.swift("Int", .struct), [])]]))
    let symbols = Mangler.accessors(
      of: Self.checkName, in: context, type: type, module: module, privateFile: nil)
    lines += [
      "", "/// Fails to link if this compiler names symbols in another way than this file.",
      "nonisolated class \(Self.checkClass): NSManagedObject {",
      "  @NSManaged var \(Self.checkName): Set<Int>?", "}", "",
      "extension \(Self.checkClass) {",
      "  var _managed_check: Set<Int>? {",
      "    @_silgen_name(\"\(symbols.getter)\") get { nil }",
      "    @_silgen_name(\"\(symbols.setter)\") set { _ = newValue }", "  }", "}",
    ]
  }

  private static let checkClass = "_ManagedSymbolProbe"
  private static let checkName =
    "this_Swift_version_names_symbols_differently__please_update_Sporades"

  // MARK: - Extensions

  private mutating func begin(_ group: Group) {
    lines.append("")
    if let condition = group.condition { lines.append("#if \(condition)") }
    lines += group.availability
    lines.append("extension \(group.extended) {")
  }

  private mutating func end(_ group: Group) {
    lines.append("}")
    if group.condition != nil { lines.append("#endif") }
  }

  private mutating func write(_ accessor: Accessor) {
    switch accessor.body {
    case .property(let type, let get, let set):
      let setter = accessor.setterAccess < accessor.access ? "\(accessor.setterAccess)(set) " : ""
      lines += [
        "  \(accessor.access) \(setter)var \(accessor.name): \(type) {",
        "    @_silgen_name(\"\(accessor.symbols[0])\") get { \(get) }",
        "    @_silgen_name(\"\(accessor.symbols[1])\") set { \(set) }", "  }",
      ]
    case .method(let parameters, let code):
      lines += [
        "  @_silgen_name(\"\(accessor.symbols[0])\")",
        "  \(accessor.access) func \(accessor.name)\(parameters) { \(code) }",
      ]
    }
  }
}
