// SPDX-License-Identifier: MIT
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

@main
struct Plugin: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    throw UnknownMacro(name: typeName)
  }

  static func main() throws {
    let listener = CompilerPluginMessageListener(
      connection: try StandardIOMessageConnection(), provider: Plugin())
    try listener.main()
  }

  struct UnknownMacro: Error { let name: String }
}
