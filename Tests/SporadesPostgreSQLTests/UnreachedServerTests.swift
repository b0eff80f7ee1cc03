// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPostgreSQL
import SporadesStore
import TestServer
import Testing

/// What a program is told that cannot connect.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct UnreachedServerTests {
  private let fixture: ServerFixture

  init() throws { fixture = try ServerFixture() }

  private func refusal(_ address: String) throws -> StoreError {
    let error = #expect(throws: StoreError.self) {
      try PostgreSQLStore(address, model: fixture.model, options: fixture.place.options)
    }
    return try #require(error)
  }

  @Test func aServerThatDoesNotRunIsNotReached() throws {
    let error = try refusal("host=/nowhere user=postgres dbname=postgres")
    #expect(error.code == .io)
    #expect(error.detail.contains("was not reached"), "\(error)")
    #expect(!error.detail.contains("connects again"))
  }

  @Test func aDatabaseThatIsNotThereIsNotTriedAgain() throws {
    let error = try refusal(fixture.place.server.address + " dbname=nowhere")
    #expect(error.code == .cannotOpen)
    #expect(error.detail.contains("does not exist. The server does not let"), "\(error)")
  }

  @Test func aServerWithoutAFreeConnectionIsBusy() throws {
    let name = fixture.place.options.schema
    try fixture.ask("CREATE ROLE \(name) LOGIN CONNECTION LIMIT 0")
    let error = try refusal(fixture.place.server.address + " user=\(name)")
    #expect(error.code == .busy)
    #expect(error.detail.contains("has no connection left"), "\(error)")
  }
}
