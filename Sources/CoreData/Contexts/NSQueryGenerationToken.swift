// SPDX-License-Identifier: MIT
public import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel

/// One state of the stores, which contexts show until they move on.
public final class NSQueryGenerationToken: NSObject, NSCopying, Sendable {
  let token: QueryGenerationToken

  init(_ token: QueryGenerationToken) { self.token = token }

  /// The newest state at the time of a context's next read.
  public static let current = NSQueryGenerationToken(.current)

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Tokens are equal if they name the same state.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken)?.token == token
  }
  public override var hash: Int { token.hashValue }
}

extension NSManagedObjectContext {
  /// The state of the stores that the context, or its parent, shows; nil if it shows the saves of others as they come.
  public var queryGenerationToken: NSQueryGenerationToken? {
    held.queryGenerationToken.map { NSQueryGenerationToken($0) }
  }

  /// Shows one state of the stores from now on, until the context saves, merges or is reset; nil ends that. A context over another
  /// one shows the state of its parent.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    trap(
      unless: parent == nil,
      "A context over another one was given a query generation. It shows the state of its parent; set it there."
    )
    try work { try $0.setQueryGeneration(from: generation?.token) }
  }
}
