// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The members of a refused class. Without them the compiler would report that initialisers, places
  /// or accessors are missing, which would hide the diagnostic.
  ///
  /// The initializer of the seed overrides that of a class above, unless that is no managed object.
  func standInMembers(overriding isManaged: Bool) -> [DeclSyntax] {
    let access = access == "open " ? "public " : access
    let overrides = isManaged && hasSuperclass ? "override " : ""
    var members: [DeclSyntax] = []
    if !ownInitializers.contains("_") {
      members.append("\(raw: access)\(raw: overrides)init(_ seed: ObjectSeed) { fatalError() }")
    }
    if !hasSuperclass, !ownInitializers.contains("context") {
      members.append("\(raw: access)init(context: ManagedObjectContext) { fatalError() }")
    }
    if superclass != nil { members.append("private static let firstPropertyIndex = 0") }
    return members
  }

  /// The accessors' subscript, for a class that inherits none.
  var standInSubscript: DeclSyntax {
    "private subscript<V>(property place: Int) -> V { get { fatalError() } set { fatalError() } }"
  }
}
