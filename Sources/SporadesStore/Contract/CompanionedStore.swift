// SPDX-License-Identifier: MIT

/// The capability of a store that another module adds tables to, because the store's options name it.
package protocol CompanionedStore: PersistentStore {
  /// What keeps these tables; nil if the options name nothing.
  var tableKeeper: (any Sendable)? { get }
}
