// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesDAL
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// A service whose failures the verb itself reports, once.
final class QuietService: DALService, @unchecked Sendable {
  // @unchecked: it adds no state.
  override func handleError(_ error: DALError) {}
}

/// A store that the user named, open for writing.
struct GivenService {
  let service: DALService
  private let store: SQLiteStore

  init(_ invocation: Invocation) throws {
    let url = URL(fileURLWithPath: invocation.word(Operand.store.name))
    var options = SQLiteStoreOptions()
    options.createsFile = false
    options.migration = .off
    if let file = invocation.value(VerbOption.model.name) {
      let model = try GivenStore.model(in: URL(fileURLWithPath: file), forStoreAt: url)
      store = try SQLiteStore(url: url, model: model, options: options)
    } else {
      let found = try StoreModel(ofStoreAt: url)
      if case .tables(let reason) = found.source {
        throw CommandError.failed(
          "A store cannot be written by its tables alone. \(reason) Name the model of the program with --model."
        )
      }
      store = try SQLiteStore(url: url, opening: found, options: options)
    }
    service = QuietService(stack: DataStack(store: store))
  }

  /// The name of an entity, or a sentence with the nearest one.
  func entity(named name: String) throws(CommandError) -> String {
    guard store.model.shape(named: name) == nil else { return name }
    throw .asked(
      "The store has no entity \(name).\(NearNames(name, among: store.model.shapes.map(\.name)).hint)"
    )
  }

  func close() throws { try service.close() }
}
