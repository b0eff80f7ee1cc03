// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Stores over encrypted connections, with a password.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct EncryptionTests {
  private let server: TestServer

  init() throws { server = try TestServer.encrypting() }

  private func open(
    _ settings: String, password: String = "password='secret word'",
    _ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }
  ) throws -> PostgreSQLStore {
    var options = PostgreSQLStoreOptions(schema: "app", reconnectTimeout: .seconds(10))
    change(&options)
    return try PostgreSQLStore(
      "host=localhost hostaddr=\(server.host) user=app dbname=postgres \(password) \(settings)",
      model: CutWork.model, options: options)
  }

  private var verified: String { "sslmode=verify-full sslrootcert=\(server.certificate())" }

  private func refusal(_ settings: String, password: String = "password='secret word'")
    -> StoreError?
  {
    do {
      try open(settings, password: password).close()
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func insert(_ key: Int64) -> ChangeSet {
    ChangeSet(inserting: [
      RowDraft("Note", key, ["text": .string("Note \(key)")], of: CutWork.model)
    ])
  }

  private func sleep(_ seconds: Int, _ store: PostgreSQLStore) throws {
    try store.read(.committed) { (reading) throws(StoreError) in
      _ = try reading.connection.run("SELECT pg_sleep(\(seconds))")
    }
  }

  @Test func aStoreWorksOverAnEncryptedConnection() throws {
    let store = try open(verified)
    try store.execute(insert(1))
    try store.commit(.immediate)
    #expect(try store.execute(insert(2), committing: .immediate) == nil)
    let notes = StoreFetch(try #require(CutWork.model.shape(named: "Note")))
    #expect(try store.count(notes, in: .committed) == 2)
    let isEncrypted = try store.read(.committed) { (reading) throws(StoreError) in
      try reading.connection.run(
        "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
      ).text(0, 0)
    }
    #expect(isEncrypted == "true")
    // Either side notices soon that the other one is gone without a word.
    let attention = try store.read(.committed) { (reading) throws(StoreError) in
      try reading.connection.run("SHOW tcp_keepalives_idle").text(0, 0)
    }
    #expect(attention == "30")
    try store.close()
  }

  @Test func aTimeoutAndACancellationEndAnEncryptedRead() throws {
    let store = try open(verified) { $0.statementTimeout = .seconds(20) }
    let impatient = try open(verified) { $0.statementTimeout = .milliseconds(50) }
    #expect(throws: StoreError.self) { try sleep(60, impatient) }
    let cancellation = Cancellation()
    let read = ThreadWork { try cancellation.run { try self.sleep(60, store) } }
    try wait { try sleepers() == 1 }
    cancellation.cancel()
    #expect(throws: StoreError.self) { try read.get() }
    // The server looks each second whether somebody still waits for a statement.
    try wait { try sleepers() == 0 }
    try sleep(0, store)
    try store.close()
    try impatient.close()
  }

  private func sleepers() throws -> Int {
    try server.answer(to: "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'").count
  }

  private func wait(_ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try #require(ContinuousClock.now < deadline, "The condition does not come true.")
      usleep(5_000)
    }
  }

  @Test func aCertificateOfAnotherIsRefused() throws {
    let wrong = refusal("sslmode=verify-full sslrootcert=\(server.certificate(isOther: true))")
    #expect(
      wrong?.code == .cannotOpen && wrong?.detail.contains("certificate") == true, "\(wrong as Any)"
    )
    let nowhere = refusal("sslmode=verify-full sslrootcert=\(server.certificate()).gone")
    #expect(
      nowhere?.code == .cannotOpen && nowhere?.detail.contains("certificate") == true,
      "\(nowhere as Any)")
  }

  @Test func aServerThatDoesNotEncryptIsRefused() throws {
    _ = try server.answer(to: "ALTER SYSTEM SET ssl = off")
    _ = try server.answer(to: "SELECT pg_reload_conf()")
    try wait { try server.answer(to: "SHOW ssl") == ["off"] }
    let refusal = refusal("sslmode=require")
    #expect(
      refusal?.code == .cannotOpen && refusal?.detail.contains("SSL") == true, "\(refusal as Any)")
    #expect(self.refusal("sslmode=prefer") == nil)
  }

  @Test func passwordsComeFromTheAddressAndFromFiles() throws {
    #expect(refusal(verified) == nil)
    let wrong = refusal(verified, password: "password=wrong")
    #expect(wrong?.code == .cannotOpen)
    #expect(wrong.map { "\($0)".contains("wrong") } == false)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "pgpass-\(UUID().uuidString)")
    defer {
      // `try?`, because the file is the test's own, and goes with the folder.
      try? FileManager.default.removeItem(at: file)
    }
    try Data("localhost:*:*:app:secret word\n".utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    #expect(refusal(verified, password: "passfile=\(file.path)") == nil)
  }
}
