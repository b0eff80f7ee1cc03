// SPDX-License-Identifier: MIT
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The program that expands macros for the compiler, until its input ends.
@main
struct Plugin: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "EntityMacro": EntityMacro.self
    case "ManagedPropertyMacro": ManagedPropertyMacro.self
    case "MarkerMacro": MarkerMacro.self
    case "PropertyListMacro": PropertyListMacro.self
    case "CompositeMacro": CompositeMacro.self
    default: throw UnknownMacro(name: typeName)
    }
  }

  static func main() throws {
    let listener = CompilerPluginMessageListener(
      connection: try StandardIOMessageConnection(), provider: Plugin())
    try listener.main()
  }

  struct UnknownMacro: Error { let name: String }
}
