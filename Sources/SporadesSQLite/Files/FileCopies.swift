// SPDX-License-Identifier: MIT
import SporadesStore

/// Copies of the files of a store's large values, beside another store.
final class FileCopies {
  private let source: ValueFolder
  private let target: ValueFolder
  /// Files in the target that a store names.
  private let kept: Set<ValueName>
  private var taken: [ValueName] = []

  init(from source: ValueFolder, to target: ValueFolder, keeping kept: Set<ValueName>) {
    self.source = source
    self.target = target
    self.kept = kept
  }

  /// Copies the files and waits until they are on the disk. A file in the target with the same content stays.
  /// A file with other content is a partial copy and is replaced, unless `kept` contains it. A file that the
  /// source has lost is refused, or skipped and returned. Two stores cannot share one folder: they would name the same
  /// files, and one store would remove a file that the other still needs.
  @discardableResult
  func take(
    _ names: [ValueName], leavesOutMissing: Bool = false
  ) throws(StoreError) -> [ValueName] {
    guard !names.isEmpty else { return [] }
    guard !source.isSame(as: target) else {
      throw StoreError(
        .unsupported,
        "The copy would keep its large values in \(target.path), the folder of the source. Give "
          + "it a name that differs before the last dot, or put it into another folder.")
    }
    do throws(SystemFailure) { try target.make() } catch {
      throw error.error("The folder for large values, \(target.path), cannot be created.")
    }
    var missing: [ValueName] = []
    for name in names {
      do throws(SystemFailure) { try take(name) } catch {
        if error.isMissing && leavesOutMissing {
          missing.append(name)
          continue
        }
        throw error.error(
          error.isMissing
            ? "The file \(name) of a large value is missing from \(source.path). Nothing was replaced."
            : "The file \(name) of a large value in \(source.path) cannot be copied to "
              + "\(target.path).")
      }
    }
    do throws(SystemFailure) { try target.sync() } catch {
      throw error.error("The folder of large values, \(target.path), cannot be synced.")
    }
    return missing
  }

  private func take(_ name: ValueName) throws(SystemFailure) {
    do throws(SystemFailure) {
      if try target.take(name, from: source) { taken.append(name) }
    } catch  where error.isThere && !kept.contains(name) {
      try target.remove(name)
      if try target.take(name, from: source) { taken.append(name) }
    }
  }

  /// Removes the copies, and the folder unless it has other files.
  func removeTaken() {
    // A copy that cannot be removed is a file without a row, and a later collection removes it. An empty folder harms nobody.
    for name in taken { try? target.remove(name) }
    try? target.removeIfEmpty()
    taken = []
  }
}
