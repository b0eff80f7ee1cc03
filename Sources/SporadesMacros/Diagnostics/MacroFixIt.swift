// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import SwiftSyntax

/// The corrections that the macros offer.
enum MacroFixIt: FixItMessage, Hashable {
  case useVar
  case inherit
  case addType
  case useType(String)
  case remove(String)

  var message: String {
    switch self {
    case .useVar: "Declare it with 'var'"
    case .inherit: "Inherit from ManagedObject"
    case .addType: "Write its type"
    case .useType(let type): "Declare it '\(type)'"
    case .remove(let part): "Remove \(part)"
    }
  }

  var fixItID: MessageID {
    let label = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "Sporades", id: "fix.\(label)")
  }
}

extension FixIt {
  static func replace(
    _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ message: MacroFixIt
  ) -> FixIt {
    FixIt(message: message, changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }
}

extension Diagnostic {
  init(_ message: MacroDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
    self.init(node: Syntax(node), message: message, fixIts: fixIts)
  }
}
