// SPDX-License-Identifier: MIT
import SporadesMacros
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The program that expands macros for the compiler, until its input ends.
@main
struct Plugin: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let macro = MacroTypes.named(typeName) else { throw UnknownMacro(name: typeName) }
    return macro
  }

  static func main() throws {
    let listener = CompilerPluginMessageListener(
      connection: try StandardIOMessageConnection(), provider: Plugin())
    try listener.main()
  }

  struct UnknownMacro: Error { let name: String }
}
