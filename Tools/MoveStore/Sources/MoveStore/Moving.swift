// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesMoving
import SporadesPostgreSQL
import SporadesSQLite
import SporadesStore
import Synchronization

/// A filled file on its way to a schema of a server, and back. The model is the one that the store carries.
struct Moving {
  private let options: PostgreSQLStoreOptions

  init(schema: String) { options = PostgreSQLStoreOptions(schema: schema) }

  // MARK: - To the server

  /// The file is opened for reading only. If the server cannot keep some values, each is named, and nothing is moved.
  func move(file: String, toServerAt address: String) throws(StoreError) {
    let url = URL(fileURLWithPath: file)
    guard let model = try ManagedObjectModel.cachedModel(forStoreAt: url) else {
      throw StoreError(
        .unsupported,
        "\(file) carries no model, as files do that were made before iOS 9. Move it with a program that has the model."
      )
    }
    var settings = SQLiteStoreOptions()
    settings.isReadOnly = true
    settings.createsFile = false
    let source = try SQLiteStore(url: url, model: model, options: settings)
    let server = try PostgreSQLStore(address, model: model, options: options)
    let move = try StoreMove(from: source, to: server)
    let lacks = try move.unkeepable()
    for lack in lacks { Self.print("\(lack)") }
    guard lacks.isEmpty else {
      throw StoreError(
        .unsupported,
        "A server cannot keep the \(lacks.count) values above. Nothing was moved. Change them, and move again."
      )
    }
    try run(move)
    try server.close()
    try source.close()
  }

  // MARK: - To a file

  /// The file appears when it is complete. Until then, the rows are in a hidden one beside it.
  func move(serverAt address: String, toFile file: String) throws(StoreError) {
    guard !FileManager.default.fileExists(atPath: file) else {
      throw StoreError(
        .cannotOpen, "There is something at \(file) already. Name another place, or remove it.")
    }
    guard
      let model = try ManagedObjectModel.cachedModel(forStoreAt: address, options: options)
    else {
      throw StoreError(
        .cannotOpen, "The schema \(options.schema) has no store. Name its schema with --schema.")
    }
    let server = try PostgreSQLStore(address, model: model, options: options)
    let url = URL(fileURLWithPath: file)
    let draft = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
    do throws(StoreError) {
      let target = try SQLiteStore(url: draft, model: model)
      try run(try StoreMove(from: server, to: target))
      try target.copy(to: url.path)
      try target.close()
    } catch {
      // `try?`, because the caller gets the first error, and whatever stays has the name of a draft.
      try? SQLiteStore.destroy(storeAt: draft)
      throw error
    }
    try SQLiteStore.destroy(storeAt: draft)
    try server.close()
  }

  // MARK: - Both

  /// Runs the move until a signal asks the program to end, and says how far it is.
  private func run(_ move: StoreMove) throws(StoreError) {
    let stop = Interruption()
    let start = ContinuousClock.now
    var next = start
    let moved = try move.run { (progress) throws(StoreError) in
      try stop.check()
      guard ContinuousClock.now >= next else { return }
      next = .now + .seconds(1)
      Self.print("\(progress.rows) of \(progress.allRows) objects, \(progress.links) links")
    }
    Self.print(
      "Moved \(moved.rows) objects and \(moved.links) links in \(ContinuousClock.now - start).")
  }

  private static func print(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// Notes that a signal asked the program to end, so that the move undoes itself first.
private final class Interruption: Sendable {
  private let isAsked = Atomic<Bool>(false)

  init() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      // The source lasts as long as its handler holds it: until the process ends.
      source.setEventHandler { [self] in
        withExtendedLifetime(source) { isAsked.store(true, ordering: .relaxed) }
      }
      source.resume()
    }
  }

  func check() throws(StoreError) {
    guard isAsked.load(ordering: .relaxed) else { return }
    throw StoreError(.cancelled, "A signal asked the program to end. Nothing was moved.")
  }
}
