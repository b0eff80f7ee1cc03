// SPDX-License-Identifier: MIT
public import Foundation

extension FileManager {
  /// The folder that the programs of a group share: on Linux, one of the user's, named after the group, which is made if there is none.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
    guard !groupIdentifier.isEmpty, !groupIdentifier.contains("/"),
      let folder = urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    else { return nil }
    let group = folder.appendingPathComponent("Group Containers").appendingPathComponent(
      groupIdentifier)
    // `try?`: Apple's function answers nil for a group that the program cannot use.
    guard (try? createDirectory(at: group, withIntermediateDirectories: true)) != nil else {
      return nil
    }
    return group
  }
}
