// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesSearch
import SporadesSearchTesting
import SporadesServerSearch
import SporadesStore
import SporadesTesting
import TestServer
import Testing

/// The chapter on searches of the conformance suite, over stores on a server.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerSearchConformanceTests {
  @Test(arguments: StoreCheck.searching, [ServerSearch.texts, .index])
  func aServerConforms(to check: StoreCheck, search: ServerSearch) throws {
    let places = Guarded<[String: TestStore]>([:])
    @Sendable func beside(_ store: any PersistentStore) throws -> any PersistentStore {
      let place = try #require(places.withLock { $0[store.identifier] })
      return try place.open(store.model) { $0.search = search }
    }
    try check.run(
      StoreUnderTest { model in
        let place = try TestStore()
        let store = try place.open(model) { $0.search = search }
        places.withLock { $0[store.identifier] = place }
        return store
      } reopen: {
        try beside($0)
      } openBeside: {
        try beside($0)
      })
  }
}
