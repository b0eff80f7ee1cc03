// SPDX-License-Identifier: MIT
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityModel {
  /// The members of a refused class. Without them the compiler would report that initialisers, places
  /// or accessors are missing, which would hide the diagnostic.
  var standInMembers: [DeclSyntax] {
    guard superclass == nil else { return ["private static let firstPropertyIndex = 0"] }
    guard !hasSuperclass else { return [] }
    let access = access == "open " ? "public " : access
    return [("_", "_ seed: ObjectSeed"), ("context", "context: ManagedObjectContext")]
      .filter { label, _ in !ownInitializers.contains(label) }
      .map { _, parameter in "\(raw: access)init(\(raw: parameter)) { fatalError() }" }
  }

  /// The accessors' subscript, for a class that inherits none.
  var standInSubscript: DeclSyntax {
    "private subscript<V>(property place: Int) -> V { get { fatalError() } set { fatalError() } }"
  }
}
