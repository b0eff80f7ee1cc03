// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// Stores with a schema each that share the connections to a server.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct TenantTests {
  private let fixture: ServerFixture
  private let others: [ServerFixture]

  init() throws {
    fixture = try ServerFixture()
    others = try (0..<2).map { _ in try ServerFixture() }
  }

  /// Opens a store of a schema on shared connections, which bear the name of the first schema.
  private func open(
    _ place: ServerFixture? = nil, on connections: PostgreSQLConnections,
    _ model: ManagedObjectModel = CutWork.model, at server: String? = nil,
    _ change: (inout PostgreSQLStoreOptions) -> Void = { _ in }
  ) throws -> PostgreSQLStore {
    let place = place ?? fixture
    var options = place.place.options
    options.connections = connections
    options.connectTimeout = .seconds(10)
    change(&options)
    return try PostgreSQLStore(
      "\(server ?? place.place.server.address) application_name=\(fixture.place.options.schema)",
      model: model, options: options)
  }

  private func texts(_ store: PostgreSQLStore, in view: StoreView = .committed) throws -> [String] {
    try store.rows(fixture.notes, in: view).flatMap { page in
      (0..<page.count).map { "\(page.key($0).primaryKey)" }
    }.sorted()
  }

  // MARK: - Many stores

  /// The long form has a thousand stores over twenty connections.
  private static let isLong = ProcessInfo.processInfo.environment["SPORADES_EVERY_STORE"] != nil

  @Test func eachStoreSeesItsOwnSchemaAndTheLimitHolds() throws {
    let limit = Self.isLong ? 20 : 4
    let connections = PostgreSQLConnections(limit: limit)
    let places = try (0..<(Self.isLong ? 1_000 : 30)).map { _ in try ServerFixture() }
    // A thousand threads wait for each other longer on a busy machine.
    let stores = try places.map {
      try open($0, on: connections) { $0.connectTimeout = .seconds(300) }
    }
    let works = stores.map { store in ThreadWork { try writeFive(store) } }
    while !works.allSatisfy(\.isOver) {
      #expect(try fixture.activities("true") <= limit)
      usleep(1_000)
    }
    for work in works { try work.get() }
    #expect(stores[0].metrics.connectionsInUse == 0)
    for store in stores {
      #expect(try texts(store).count == 5)
      try store.close()
    }
    // Another program finds the rows where they belong.
    for place in places { #expect(try place.ask("SELECT count(*)::text FROM note") == ["5"]) }
    #expect(try fixture.activities("true") <= limit)
  }

  private func writeFive(_ store: PostgreSQLStore) throws {
    let shape = try #require(store.model.shape(named: "Note"))
    for turn in 0..<5 {
      let key = try store.reserveKeys(1, for: shape).lowerBound
      try store.execute(fixture.insert(key))
      try store.commit(turn.isMultiple(of: 2) ? .immediate : .eventual)
      let count = try store.rows(fixture.notes, in: .committed).reduce(0) { $0 + $1.count }
      #expect(count == turn + 1)
    }
  }

  @Test func servicesOfTenantsWorkBesideEachOther() async throws {
    let connections = PostgreSQLConnections(limit: 3)
    let services = try (0..<12).map { _ in
      let place = try TestStore()
      var options = place.options
      options.connections = connections
      return DALService(
        postgres: place.server.address, entities: [Player.self, Team.self], storeOptions: options)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, service) in services.enumerated() {
        group.addTask {
          for turn in 0..<5 {
            try await service.write(durability: turn.isMultiple(of: 2) ? .immediate : .eventual) {
              Player.create(in: $0).name = "Player \(number)"
            }
            let names = try await service.read { try Player.all(in: $0).map(\.name) }
            #expect(names == Array(repeating: "Player \(number)", count: turn + 1))
          }
        }
      }
      try await group.waitForAll()
    }
    for service in services { try service.close() }
  }

  @Test func modelsOfOneNameDoNotMix() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let number = try ManagedObjectModel(entities: [
      EntityDescription("Note", attributes: [AttributeDescription("text", .integer64)])
    ])
    let texts = try open(on: connections)
    let numbers = try open(others[0], on: connections, number)
    let shape = try #require(number.shape(named: "Note"))
    for key in Int64(1)...20 {
      try texts.execute(fixture.insert(key))
      try texts.commit(.immediate)
      try numbers.execute(
        ChangeSet(inserting: [RowDraft("Note", key, ["text": .integer(key)], of: number)]))
      try numbers.commit(.immediate)
      #expect(try self.texts(texts).count == Int(key))
      #expect(try numbers.rows(StoreFetch(shape), in: .committed).first?.count == Int(key))
    }
    try texts.close()
    try numbers.close()
  }

  // MARK: - Places

  @Test func aTransactionKeepsItsPlaceAndTheNextWaits() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let store = try open(on: connections)
    let other = try open(others[0], on: connections) { $0.connectTimeout = .milliseconds(50) }
    try store.execute(fixture.insert(1))
    #expect(fixture.code { _ = try texts(other) } == .busy)
    #expect(fixture.code { try other.execute(fixture.insert(1)) } == .busy)
    #expect(try texts(store, in: .accepted) == ["1"])
    try store.commit(.immediate)
    #expect(try texts(other) == [])
    try other.execute(fixture.insert(1))
    try other.commit(.immediate)
    #expect(try texts(other) == ["1"])
    #expect(other.metrics.waits == 2)
    try store.close()
    try other.close()
  }

  @Test func keysWaitForNoTransaction() throws {
    let connections = PostgreSQLConnections(limit: 3)
    let stores = try [open(on: connections), open(others[0], on: connections)]
    let shape = try #require(CutWork.model.shape(named: "Note"))
    for store in stores { try store.execute(fixture.insert(1)) }
    for store in stores {
      let keys = try store.reserveKeys(3, for: shape)
      #expect(keys.lowerBound > 1)
      // A key that nobody reserved raises the counter.
      try store.execute(fixture.insert(keys.upperBound + 5_000))
    }
    for store in stores { try store.close() }
    for place in [fixture, others[0]] {
      #expect(try place.ask("SELECT count(*)::text FROM note") == ["2"])
    }
  }

  @Test func aGenerationKeepsItsPlace() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let store = try open(on: connections) { $0.connectTimeout = .milliseconds(50) }
    do {
      let generation = try store.generation()
      #expect(fixture.code { _ = try texts(store) } == .busy)
      #expect(fixture.code { _ = try store.generation() } == .busy)
      #expect(try texts(store, in: .generation(generation)) == [])
    }
    #expect(try texts(store) == [])
    try store.close()
  }

  @Test func aGenerationThatOutlivesItsStoreLeavesItsPlace() throws {
    let connections = PostgreSQLConnections(limit: 2)
    var generation: StoreGeneration?
    do {
      let store = try open(on: connections) { $0.connectTimeout = .milliseconds(50) }
      generation = try store.generation()
    }
    withExtendedLifetime(generation) {}
    generation = nil
    let other = try open(others[0], on: connections) { $0.connectTimeout = .milliseconds(50) }
    #expect(try texts(other) == [])
    try other.close()
  }

  /// Its changes cannot be committed any more: another process has migrated the store.
  @Test func aStoreThatIsGivenUpLeavesItsPlace() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let other = try open(others[0], on: connections) { $0.connectTimeout = .milliseconds(50) }
    do {
      let store = try open(on: connections)
      try store.execute(fixture.insert(1))
      try fixture.endConnections()
      try fixture.ask("UPDATE sporades_store SET migrations = migrations + 1")
      #expect(fixture.code { try store.close() } != nil)
    }
    #expect(try texts(other) == [])
    try other.close()
  }

  @Test func anotherVersionOfASchemaPreparesItsStatementsAnew() throws {
    let connections = PostgreSQLConnections(limit: 3)
    func model(_ type: AttributeType) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: [
        EntityDescription("Note", attributes: [AttributeDescription("size", type)])
      ])
    }
    let (narrow, wide) = (try model(.integer32), try model(.integer64))
    let first = try open(on: connections, narrow)
    let notes = StoreFetch(try #require(narrow.shape(named: "Note")))
    do {
      // Two connections know the statement.
      let generation = try first.generation()
      _ = try first.rows(notes, in: .generation(generation))
      _ = try first.rows(notes, in: .committed)
    }
    try first.close()
    let second = try open(others[0], on: connections)
    _ = try texts(second)
    let third = try open(on: connections, wide)
    let wideNotes = StoreFetch(try #require(wide.shape(named: "Note")))
    let kept = try third.generation()
    #expect(try third.rows(wideNotes, in: .generation(kept)).isEmpty)
    #expect(try third.rows(wideNotes, in: .committed).isEmpty)
    for store in [second, third] { try store.close() }
  }

  @Test func whatFailsGivesItsPlaceBack() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let model = try ManagedObjectModel(entities: [EntityDescription("Other")])
    try open(on: connections).close()
    for _ in 0..<3 {
      let code = fixture.code {
        _ = try open(on: connections, model) { $0.migration.isAutomatic = false }
      }
      #expect(code == .incompatibleModel(["Folder", "Note", "Other", "Tag"]))
    }
    let store = try open(on: connections)
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    for _ in 0..<3 {
      #expect(fixture.code { try store.execute(fixture.insert(1)) } != nil)
      #expect(
        fixture.code {
          try store.read(.committed) { (reading) throws(StoreError) in
            _ = try reading.connection.run("SELECT 1 / 0")
          }
        } != nil)
    }
    #expect(try texts(store) == ["1"])
    try store.close()
  }

  @Test func aWriterWhoseConnectionEndedLeavesItsPlace() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let store = try open(on: connections)
    let other = try open(others[0], on: connections) { $0.connectTimeout = .milliseconds(50) }
    let code = fixture.code {
      try store.write { (writer) throws(StoreError) in
        _ = try writer.connection.run("SELECT pg_terminate_backend(pg_backend_pid())")
      }
    }
    #expect(code == .io)
    #expect(try texts(other) == [])
    try store.execute(fixture.insert(1))
    try store.commit(.immediate)
    #expect(try texts(store) == ["1"])
    try store.close()
    try other.close()
  }

  // MARK: - What a session is set to

  @Test func aTimeoutIsThatOfItsStoreAlone() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let fast = try open(on: connections) { $0.statementTimeout = .milliseconds(20) }
    let slow = try open(others[0], on: connections)
    func wait(_ store: PostgreSQLStore) throws {
      try store.read(.committed) { (reading) throws(StoreError) in
        _ = try reading.connection.run("SELECT pg_sleep(0.1)")
      }
    }
    for _ in 0..<2 {
      #expect(fixture.code { try wait(fast) } == .timedOut)
      #expect(fixture.code { try wait(slow) } == nil)
    }
    try fast.close()
    try slow.close()
  }

  @Test func serversOfOtherAddressesShareTheLimit() throws {
    let connections = PostgreSQLConnections(limit: 2)
    let address = fixture.place.server.address
    let store = try open(on: connections)
    let other = try open(others[0], on: connections, at: "\(address) options='-c work_mem=5MB'")
    for key in Int64(1)...3 {
      for store in [store, other] {
        try store.execute(fixture.insert(key))
        try store.commit(.immediate)
      }
      let setting = try other.read(.committed) { (reading) throws(StoreError) in
        try reading.connection.run("SHOW work_mem").text(0, 0)
      }
      #expect(setting == "5MB")
      #expect(try fixture.activities("true") <= 2)
    }
    #expect(try texts(store) == texts(other))
    try store.close()
    try other.close()
  }

  @Test func whatNeedsConnectionsOfItsOwnIsRefused() throws {
    let connections = PostgreSQLConnections(limit: 2)
    #expect(
      fixture.code { _ = try open(on: connections) { $0.signalsCommits = true } } == .unsupported)
    #expect(
      fixture.code {
        _ = try open(on: connections) { $0.reads = .replicas(maxLag: .seconds(1)) }
      } == .unsupported)
  }

  // MARK: - Losses and others

  @Test func lostConnectionsAreReplacedAndNothingIsDoneTwice() throws {
    let connections = PostgreSQLConnections(limit: 3)
    let stores = try [fixture, others[0], others[1]].map { try open($0, on: connections) }
    for key in Int64(1)...5 {
      try stores[0].execute(fixture.insert(key))
      try fixture.endConnections()
      for store in stores.dropFirst() {
        try store.execute(fixture.insert(key))
        try store.commit(.immediate)
      }
      #expect(try stores[0].restoreAccepted().isEmpty)
      try stores[0].commit(.immediate)
      try fixture.endConnections()
      for store in stores { #expect(try texts(store).count == Int(key)) }
    }
    for store in stores { try store.close() }
    #expect(try fixture.activities("true") <= 3)
  }

  @Test func eachHearsOfTheCommitsOfOthersInItsSchema() throws {
    let connections = PostgreSQLConnections(limit: 3)
    let stores = try [open(on: connections), open(others[0], on: connections)]
    let heard = stores.map { _ in Guarded(0) }
    let observations = zip(stores, heard).map { store, heard in
      store.observeOthers { _ in heard.withLock { $0 += 1 } }
    }
    let writer = try others[0].open()
    try writer.execute(fixture.insert(1))
    try writer.commit(.immediate)
    try fixture.wait { heard[1].withLock { $0 > 0 } }
    #expect(heard[0].withLock { $0 } == 0)
    withExtendedLifetime(observations) {}
    for store in stores { try store.close() }
    try writer.close()
  }
}

private func serviceOfATenant() -> DALService {
  // snippet: postgres-tenants
  let connections = PostgreSQLConnections(limit: 20)

  func service(of tenant: String) -> DALService {
    var options = PostgreSQLStoreOptions(schema: "tenant_\(tenant)")
    options.connections = connections
    return DALService(
      postgres: "postgresql://app@db.example.com/app", entities: [Player.self, Team.self],
      storeOptions: options)
  }
  // snippet end
  return service(of: "7")
}
