// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Prints what migrations do, if the program was started with `-com.apple.CoreData.MigrationDebug 1`.
enum MigrationDebug {
  private static let isOn =
    LaunchArgument.level(of: "-com.apple.CoreData.MigrationDebug").map { $0 > 0 } ?? false

  static func tell(_ path: String, _ forecast: () throws(StoreError) -> MigrationForecast) {
    guard isOn else { return }
    do throws(StoreError) {
      for line in try forecast().description.split(separator: "\n") {
        writeToStandardError("CoreData: migration of \(path): \(line)\n")
      }
    } catch {
      writeToStandardError("CoreData: migration of \(path): the steps cannot be told. \(error)\n")
    }
  }
}
