// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers

extension Scenario {
  /// Makes files and folders of every kind in a process whose mask lets everybody read new files. Ends without
  /// closing the last store.
  func playPermissions(_ store: URL) throws {
    umask(0)
    let folder = store.deletingLastPathComponent()
    let photo = Data(repeating: 7, count: 200_000)
    let service = NoteService(store)
    try service.add(1, photo)
    let copy = folder.appendingPathComponent("Copy.sqlite")
    try service.stack().store.copy(to: copy.path)
    try service.reset(keepingCopyAt: folder.appendingPathComponent("Kept.sqlite"))
    try service.add(2, photo)
    try service.close()
    try PersistentStoreCoordinator.replacePersistentStore(at: store, withPersistentStoreFrom: copy)
    try PersistentStoreCoordinator.replacePersistentStore(
      at: folder.appendingPathComponent("New.sqlite"), withPersistentStoreFrom: copy)
    unsafe setenv("XDG_DATA_HOME", folder.appendingPathComponent("data/home").path, 1)
    let named = try DataStack(sqlite: "Named", entities: [Note.self])
    Self.kept.withLock { $0 = NoteService(stack: named) }
    try Self.kept.withLock { try $0?.add(3, photo) }
    acknowledge(3)
  }

  /// The services that stay open after their scenario.
  private static let kept = Guarded<NoteService?>(nil)
}
