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
}
