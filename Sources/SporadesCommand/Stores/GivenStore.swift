// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore
import SporadesXcode

/// A store that the user named, open for reading without a trace: nothing in its folder changes.
struct GivenStore {
  /// The place where its model came from.
  enum Origin {
    /// The store carries it.
    case cached
    /// A file that the user named.
    case file(String)
    /// The tables, for the reason in the sentence.
    case inferred(reason: String)

    var word: String {
      switch self {
      case .cached: "cached"
      case .file: "file"
      case .inferred: "inferred"
      }
    }
  }

  let path: String
  let origin: Origin
  let store: SQLiteStore
  /// The state of the store that everything is read from.
  let view: StoreView

  var model: ManagedObjectModel { store.model }
  /// The names by which ids know their entities.
  var scope: StoreScope {
    StoreScope(identifier: store.identifier, entityNames: model.shapes.map(\.name))
  }
  /// The entities whose rows the store holds.
  var heldShapes: [EntityShape] { model.shapes.filter { store.holds($0.number) } }

  /// The name of the entity that an entity inherits from.
  func parent(of shape: EntityShape) -> String? {
    shape.superNumber == 0 ? nil : model.shape(numbered: shape.superNumber).name
  }

  /// Opens the store at the operand, with the model of the option if there is one.
  init(_ invocation: Invocation, _ operand: String = "STORE") throws {
    path = invocation.word(operand)
    let url = URL(fileURLWithPath: path)
    guard SystemFile.size(path) != 0 else {
      throw CommandError.failed("\(path) is empty, and no store.")
    }
    var options = SQLiteStoreOptions()
    options.leavesNoTrace = true
    options.takesNoLock = !invocation.locksStores
    if let file = invocation.value(VerbOption.model.name) {
      let model = try Self.model(in: URL(fileURLWithPath: file), forStoreAt: url)
      (options.createsFile, options.isReadOnly, options.checksModel) = (false, true, false)
      let metadata = try SQLiteStore.metadata(ofStoreAt: url)
      if !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
        invocation.output.say(
          TextTable.harmless(
            "\(path) was written with another version of the model than that in \(file). Its own version fits better, "
              + "which it may carry: leave out --model. sporades diff compares the two."))
      }
      store = try SQLiteStore(url: url, model: model, options: options)
      origin = .file(file)
    } else {
      let found = try StoreModel(ofStoreAt: url)
      options.isReadOnly = true
      store = try SQLiteStore(url: url, opening: found, options: options)
      origin =
        switch found.source {
        case .cached: .cached
        case .tables(let reason): .inferred(reason: reason)
        }
    }
    if !invocation.locksStores, SystemFile.kind(SystemFile.target(of: path) + "-shm") != .none {
      invocation.output.hold()
    }
    view = try store.keepsGenerations ? .generation(store.generation()) : .committed
  }

  /// The model in a file: in a folder of versions the one that the store was written with, else the current one.
  static func model(in file: URL, forStoreAt store: URL) throws -> ManagedObjectModel {
    guard ["xcdatamodeld", "momd"].contains(file.pathExtension) else {
      return try ManagedObjectModel(contentsOf: file)
    }
    let metadata = try SQLiteStore.metadata(ofStoreAt: store)
    for version in try ModelFile.versions(at: file) {
      let model = try version.model()
      if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) {
        return model
      }
    }
    return try ManagedObjectModel(contentsOf: file)
  }

  /// The entity with a name, or a sentence with the nearest one.
  func entity(named name: String) throws(CommandError) -> EntityShape {
    if let shape = model.shape(named: name) { return shape }
    let names = model.shapes.map(\.name)
    throw .asked("The store has no entity \(name).\(NearNames(name, among: names).hint)")
  }
}

extension ManagedObjectID {
  /// The id as the program prints and reads it: `User/12`.
  var shown: String {
    "\(entityName)/\(key.primaryKey)"
  }
}
