// SPDX-License-Identifier: MIT
import FoundationEssentials

/// The failures of Foundation's calls about files, in words.
package enum FileFailure {
  /// The reason in a few words, without a stop. An error of another kind describes itself.
  package static func reason(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    return switch error.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is nothing"
    case .fileReadNoPermission, .fileWriteNoPermission: "the permission is missing"
    case .fileWriteFileExists: "there is something already"
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    default: "Foundation's error \(error.code.rawValue)"
    }
  }
}
