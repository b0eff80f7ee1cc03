// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesStore

extension NSPersistentStoreCoordinator {
  /// Removes what migrations with `NSPersistentStoreDeferredLightweightMigrationOptionKey` left in the files of the stores.
  public func finishDeferredLightweightMigration() throws {
    do { try coordinator.finishDeferredLightweightMigration() } catch {
      throw NSError.coreData(error)
    }
  }

  /// Does one part of that work, if any is left.
  public func finishDeferredLightweightMigrationTask() throws {
    do { _ = try coordinator.finishDeferredLightweightMigrationTask() } catch {
      throw NSError.coreData(error)
    }
  }

  // MARK: - Locks

  /// Waits until no other thread has locked the coordinator.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func lock() { formerLock.lock() }
  /// Lets other threads lock the coordinator again.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func unlock() { formerLock.unlock() }
  /// Locks the coordinator, or returns false if another thread has locked it.
  @available(*, deprecated, message: "Use perform(_:) or performAndWait(_:).")
  public func tryLock() -> Bool { formerLock.try() }
}
