// SPDX-License-Identifier: MIT

/// The capability of a store that another module adds tables to, because the store's options name it.
package protocol CompanionedStore: PersistentStore {
  /// The keeper of these tables; nil if the options name none.
  var tableKeeper: (any Sendable)? { get }
}
