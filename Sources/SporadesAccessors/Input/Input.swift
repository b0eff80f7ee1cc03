// SPDX-License-Identifier: MIT

/// A Swift file of a target.
package struct SwiftSource: Sendable {
  /// The name, or a path whose last part is the name.
  package let name: String
  package let text: String

  /// Takes a file's name and its text.
  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// The facts that a model has about the entity of a class.
package struct ManagedClass: Sendable {
  /// The name of the class without its module.
  package let name: String
  /// The names of the attributes and of the relationships to one object.
  package let single: Set<String>
  /// The relationships to many objects, each with true for an ordered one.
  package let toMany: [String: Bool]

  /// Takes the class and the properties of its entity.
  package init(name: String, single: Set<String>, toMany: [String: Bool]) {
    self.name = name
    self.single = single
    self.toMany = toMany
  }
}

/// Classes and extensions that a model asks for, as text. The file has them beside the accessors.
package struct MadeClasses: Sendable {
  /// The declarations, which have code of their own and no imports.
  package var text: String
  /// The modules that the declarations need, beside `CoreData`.
  package var imports: Set<String>
  /// The classes of the target that the declarations extend.
  package var extended: Set<String>

  /// Takes the declarations of one model or several; without any, an empty text.
  package init(text: String = "", imports: Set<String> = [], extended: Set<String> = []) {
    self.text = text
    self.imports = imports
    self.extended = extended
  }
}

/// The text of the accessors, or the reasons why there is none.
package enum AccessorAnswer: Sendable {
  /// The text of the file.
  case text(String)
  /// The declarations that stand in the way, in the order of the files.
  case findings([Finding])
}
