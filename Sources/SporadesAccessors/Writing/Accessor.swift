// SPDX-License-Identifier: MIT

/// The code of one managed property or method.
struct Accessor {
  enum Body {
    /// The text of the type, the code of the getter and that of the setter.
    case property(type: String, get: String, set: String)
    /// The parameters in parentheses, and the code.
    case method(parameters: String, code: String)
  }

  /// The extended class.
  let extended: String
  /// The attributes `@available` of the class and of the declaration.
  let availability: [String]
  let condition: String?
  let access: AccessLevel
  let setterAccess: AccessLevel
  /// The level at which other modules can see the type in the declaration.
  let visible: AccessLevel
  /// The name of the declaration.
  let property: String
  /// The name in the written file.
  var name: String
  let symbols: [String]
  let body: Body
  /// The modules that the types lie in.
  let modules: Set<String>
  /// The class and the name of the declaration.
  let description: String
}
