// SPDX-License-Identifier: MIT

/// The code that can see a declaration.
enum AccessLevel: Int, Comparable {
  case `private`, `fileprivate`, `internal`, package, `public`, open

  static func < (one: AccessLevel, other: AccessLevel) -> Bool { one.rawValue < other.rawValue }

  init?(word: String) {
    switch word {
    case "private": self = .private
    case "fileprivate": self = .fileprivate
    case "internal": self = .internal
    case "package": self = .package
    case "public": self = .public
    case "open": self = .open
    default: return nil
    }
  }
}

/// A file, a type or an extension, as a place in which names are declared.
struct Scope {
  enum Kind: Equatable {
    case file
    case type(NominalKind)
    /// An extension of the type that its path names.
    case `extension`
  }

  enum Member {
    /// A type, by its place in the list of scopes.
    case type(Int)
    /// A type alias, by its place in the list.
    case alias(Int)
  }

  let kind: Kind
  let name: String
  let file: Int
  let parent: Int?
  /// The first byte of the name.
  let start: Int
  /// The level that is written; nil for none.
  var access: AccessLevel?
  var isGeneric = false
  /// The superclass and the protocols.
  var inherited: [TypeSyntax] = []
  /// The type that an extension extends.
  var extended: TypeSyntax?
  /// The texts of the attributes `@available`.
  var availability: [String] = []
  /// The condition of its `#if`, as text.
  var condition: String?
  var members: [String: [Member]] = [:]
}

/// A type alias.
struct Alias {
  let name: String
  let type: TypeSyntax
  let scope: Int
  let isGeneric: Bool
  /// Only the file of the alias sees it.
  let isPrivate: Bool
}

/// The words before a declaration, such as `public` and `static`.
struct Modifiers {
  var access: AccessLevel?
  var setterAccess: AccessLevel?
  var isStatic = false
  /// The place of `@NSManaged` in the tokens.
  var managed: Int?
  var availability: [String] = []
  /// The attributes that let names of an imported module be found.
  var imported: [String] = []
}

/// A property or a method that is marked `@NSManaged`.
struct ManagedMember {
  struct Parameter {
    let label: String?
    let name: String
    let type: TypeSyntax
  }

  enum Form {
    case property(TypeSyntax)
    case method([Parameter])
  }

  let name: String
  let form: Form
  let scope: Int
  /// The first byte of the name.
  let start: Int
  let modifiers: Modifiers
  /// The condition of its `#if`, as text.
  let condition: String?
}

/// A property of a type or an extension that is not managed.
struct PlainProperty {
  let name: String
  let scope: Int
  /// The level that is written; nil for none.
  let access: AccessLevel?
  /// The condition of its `#if`, as text.
  let condition: String?
}

/// An import of a module.
struct ModuleImport {
  let module: String
  /// The level that is written; nil for none.
  let access: AccessLevel?
  /// The attributes that let names be found, such as `@testable`.
  let attributes: [String]
}

/// A file of the target, as the reader needs it.
struct SourceFile {
  let name: String
  let lines: LineTable
  var imports: [ModuleImport] = []
}

/// The types and managed members that the files of a target declare.
struct Declarations {
  var files: [SourceFile] = []
  var scopes: [Scope] = []
  var aliases: [Alias] = []
  var managed: [ManagedMember] = []
  var properties: [PlainProperty] = []
  var findings: [Finding] = []
  /// The types of other modules that comments tell.
  var told: [ToldType] = []

  /// The finding at a place of a file.
  func finding(_ problem: String, _ remedy: String, file: Int, at start: Int) -> Finding {
    let (line, column) = files[file].lines.position(of: start)
    return Finding(
      file: files[file].name, line: line, column: column, problem: problem, remedy: remedy)
  }
}

/// A type of another module that a comment `// @NSManaged type: class Module.Name` tells.
struct ToldType {
  let kind: NominalKind
  /// The module and the names of the path.
  let path: [String]
}
