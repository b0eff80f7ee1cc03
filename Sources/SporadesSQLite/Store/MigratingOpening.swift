// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Opens a store, and migrates it first if its options say so: by a plan, with a copy of the store as it was, or with
/// an empty store in the place of one that cannot be migrated.
struct MigratingOpening {
  let path: String?
  let model: ManagedObjectModel
  let options: SQLiteStoreOptions
  let layout: any ModelLayout.Type

  func open() throws(StoreError) -> StoreOpening.Opened {
    do throws(StoreError) {
      try migrateByPlan()
      return try opening.open()
    } catch  where canStartAnew(after: error) {
      try setAside()
      return try opening.open()
    }
  }

  private var opening: StoreOpening {
    StoreOpening(path: path, model, options, layout, keeping: FormerStore.keeping(path, options))
  }

  // MARK: - Plans

  /// A plan changes the file as a whole, so it runs before this process opens the file.
  private func migrateByPlan() throws(StoreError) {
    guard let plan = options.migrationPlan, let path, options.migration.isAutomatic,
      !options.isReadOnly, !SystemFile.isNullDevice(path)
    else { return }
    let patience = options.migration.patienceMilliseconds
    let opening = try BusyWait.retrying(milliseconds: patience) { () throws(StoreError) in
      try OpeningPlan.read(at: path, model, options)
    }
    guard case .migrate = opening else { return }
    try plan.migrate(storeAt: URL(fileURLWithPath: path), to: model, options: options)
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
    let former = FormerStore(of: path)
    let owner = try StoreFile.own(
      SystemFile.target(of: path),
      patienceMilliseconds: options.migration.patienceMilliseconds)
    defer { owner.close() }
    try former.takeStore(owner)
    options.migration.progress?.note(formerStore: former.path)
  }
}
