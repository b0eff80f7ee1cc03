// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The members of a refused class. Without them the compiler would report that initialisers, places
  /// or accessors are missing, which would hide the diagnostic.
  var standInMembers: [DeclSyntax] {
    let access = access == "open " ? "public " : access
    var members: [DeclSyntax] = []
    if !ownInitializers.contains("_") {
      members.append("\(raw: access)required init(_ seed: ObjectSeed) { fatalError() }")
    }
    if !ownInitializers.contains("context") {
      members.append(
        "\(raw: access)required init(context: ManagedObjectContext) { fatalError() }")
    }
    if superclass != nil {
      members.append("private static let firstPropertyIndex = 0")
    }
    return members
  }

  /// The accessors' subscript, for a class that inherits none.
  var standInSubscript: DeclSyntax {
    "private subscript<V>(property place: Int) -> V { get { fatalError() } set { fatalError() } }"
  }
}
