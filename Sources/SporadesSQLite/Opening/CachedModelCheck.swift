// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Compares the model that a store carries with the hashes and the tables of the store.
struct CachedModelCheck {
  enum Outcome {
    case agrees(configuration: String?)
    /// The sentence names the difference.
    case differs(String)
  }

  private let model: ManagedObjectModel
  private let identity: StoreIdentity

  init(_ model: ManagedObjectModel, _ identity: StoreIdentity) {
    self.model = model
    self.identity = identity
  }

  func outcome(_ connection: Connection) throws(StoreError) -> Outcome {
    let candidates = [nil] + model.configurations.keys.inOrder()
    let found = candidates.first { name in
      StoreCompatibility(of: identity.metadata, with: model, configuration: name) == .same
    }
    guard let configuration = found else { return .differs(describeHashes()) }
    do throws(StoreError) {
      let held = try StoreConfiguration(configuration, of: model).entities
      _ = try ExistingLayout(connection, CoreDataLayout(model, holding: held)).layout()
    } catch  where error.isDifference {
      return .differs("The model that the store carries disagrees with its tables. \(error.detail)")
    }
    return .agrees(configuration: configuration)
  }

  private func describeHashes() -> String {
    switch StoreCompatibility(of: identity.metadata, with: model) {
    case .different(let difference):
      "The model that the store carries is not the one that wrote it: \(difference)."
    case .newer(let version):
      "The store's hashes have version \(version), so that the model it carries cannot be compared with them."
    case .unknown, .same: "The store carries a model and does not say which model wrote it."
    }
  }
}

extension StoreError {
  /// The tables and a model do not fit together.
  fileprivate var isDifference: Bool {
    switch code {
    case .incompatibleModel, .corrupt: true
    default: false
    }
  }
}
