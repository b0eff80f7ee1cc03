// SPDX-License-Identifier: MIT
package import SwiftSyntaxMacros

/// The macros by the names under which `Sporades` declares them.
package enum MacroTypes {
  /// The macro of the name, or nil where there is none.
  package static func named(_ name: String) -> (any Macro.Type)? {
    switch name {
    case "EntityMacro": EntityMacro.self
    case "ManagedPropertyMacro": ManagedPropertyMacro.self
    case "MarkerMacro": MarkerMacro.self
    case "PropertyListMacro": PropertyListMacro.self
    case "CompositeMacro": CompositeMacro.self
    default: nil
    }
  }
}
