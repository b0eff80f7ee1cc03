// SPDX-License-Identifier: MIT
public import Foundation
import SporadesContainers
import SporadesModel
import SporadesStore

/// A store of a coordinator.
open class NSPersistentStore: NSObject, @unchecked Sendable {
  // @unchecked: only `url`, `identifier` and the observation of others change, before others see the store.

  /// The coordinator; nil after the store was removed.
  public internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// The kind of the store.
  public let type: String
  /// The configuration of the model whose entities the store holds.
  public let configurationName: String
  /// The options with which the store was added.
  public let options: [AnyHashable: Any]?
  /// The file of the store.
  public internal(set) var url: URL?
  /// The store refuses changes.
  public var isReadOnly: Bool {
    get { opened.isReadOnly }
    set {
      trap(
        unless: newValue == opened.isReadOnly,
        "A store that is open does not change between reading and writing. Add it with NSReadOnlyPersistentStoreOption."
      )
    }
  }
  /// The store of the library.
  var opened: any PersistentStore

  /// The observation of others who save into the store, if its options ask for it.
  var others: StoreObservation?
  /// Whether the store's options ask for notifications of saves.
  var postsRemoteChanges: Bool {
    let option = options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey]
    return (option as? NSNumber)?.boolValue ?? (option as? Bool) ?? false
  }

  init(
    _ opened: any PersistentStore, type: String, configuration: String?, url: URL?,
    options: [AnyHashable: Any]?, of coordinator: NSPersistentStoreCoordinator
  ) {
    self.opened = opened
    self.type = type
    configurationName = configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"
    self.options = options
    self.url = url
    persistentStoreCoordinator = coordinator
  }

  /// The identifier, which all ids of the store's objects have.
  public var identifier: String! { opened.identifier }

  /// The entries of the store's property list.
  public var metadata: [String: Any]! {
    get {
      do {
        var metadata = StoreMetadataCoding.plain(try opened.metadata())
        metadata[NSStoreTypeKey] = type
        return metadata
      } catch {
        trap("The metadata of \(self) cannot be read: \(error)")
      }
    }
    set {
      do { try opened.setMetadata(try StoreMetadataCoding.values(newValue ?? [:])) } catch {
        trap("The metadata of \(self) cannot be set: \(error)")
      }
    }
  }

  open override var description: String { "\(type) store (URL: \(url?.absoluteString ?? "none"))" }
}
