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

  /// The text of the file for the accessors.
  static func text(_ accessors: [Accessor], module: String, files: [SourceFile]) -> String {
    var writer = AccessorWriter()
    writer.lines.append(
      "// Written for the @NSManaged declarations of the module \(module). Changes here are lost.")
    guard !accessors.isEmpty else { return writer.lines.joined(separator: "\n") + "\n" }
    writer.lines += ImportWriter.lines(accessors, module: module, files: files)
    writer.writeCheck(module)
    var current: Group?
    for accessor in accessors {
      let group = Group(accessor)
      if group != current {
        if let current { writer.end(current) }
        writer.begin(group)
        current = group
      }
      writer.write(accessor)
    }
    if let current { writer.end(current) }
    return writer.lines.joined(separator: "\n") + "\n"
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
