// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens a store that may have to be migrated: with a copy of the store as it was, or with an empty store in the place of
/// one that cannot be migrated.
struct MigratingOpening {
  let path: String?
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions
  let layout: any ModelLayout.Type

  func open() throws(StoreError) -> StoreOpening.Opened {
    if let path, !options.isReadOnly, !SystemFile.isNullDevice(path) {
      // `try?`, because the opening itself tells what is wrong with the file, and the next one tries again.
      try? AbandonedDrafts(ofStoreAt: SystemFile.target(of: path)).remove()
    }
    do throws(StoreError) {
      return try opening.open()
    } catch  where canStartAnew(after: error) {
      try setAside()
      return try opening.open()
    }
  }

  private var opening: StoreOpening {
    StoreOpening(path: path, model, options, layout, keeping: FormerStore.keeping(path, options))
  }

  // MARK: - Starting anew

  private func canStartAnew(after error: StoreError) -> Bool {
    guard options.migration.startsAnewIfImpossible, path != nil, !options.isReadOnly else {
      return false
    }
    switch error.code {
    case .cannotMigrate, .incompatibleModel: return true
    default: return false
    }
  }

  private func setAside() throws(StoreError) {
    guard let path else { return }
    let former = try FormerStore(of: path)
    let owner = try StoreFile.own(SystemFile.target(of: path), options)
    defer { owner.close() }
    try former.takeStore(owner)
    options.migration.progress?.note(formerStore: former.path)
  }
}
