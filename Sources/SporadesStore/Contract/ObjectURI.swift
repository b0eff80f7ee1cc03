// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesModel

/// The parts of `x-coredata://STORE/Entity/p12`.
package struct ObjectURI {
  package let store: String
  package let entity: String
  package let primaryKey: Int64

  /// Reads a URI; nil if it does not name a stored object.
  package init?(_ url: URL) {
    let prefix = "x-coredata://"
    guard url.absoluteString.hasPrefix(prefix) else { return nil }
    let parts = url.absoluteString.dropFirst(prefix.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].first == "p", let number = Int64(parts[2].dropFirst()),
      (1...RowKey.largestPrimaryKey).contains(number)
    else { return nil }
    store = String(parts[0])
    entity = String(parts[1])
    primaryKey = number
  }
}
