// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The member `override class func makeObject(_:)`, by which contexts make objects of the class.
  var makeObjectMember: DeclSyntax {
    """
    \(raw: access)override class func makeObject(_ seed: ObjectSeed) -> ManagedObject {
      \(raw: className)(seed)
    }
    """
  }
}
