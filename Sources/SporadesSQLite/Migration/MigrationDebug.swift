// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Prints what migrations do, if the program was started with `-com.apple.CoreData.MigrationDebug 1`.
enum MigrationDebug {
  private static let isOn: Bool = {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: "-com.apple.CoreData.MigrationDebug"),
      place + 1 < arguments.count
    else { return false }
    return Int(arguments[place + 1]) ?? 0 > 0
  }()

  static func tell(_ path: String, _ forecast: () throws(StoreError) -> MigrationForecast) {
    guard isOn else { return }
    do throws(StoreError) {
      for line in try forecast().description.split(separator: "\n") {
        print("CoreData: migration of \(path): \(line)")
      }
    } catch {
      print("CoreData: migration of \(path): the steps cannot be told. \(error)")
    }
  }
}
