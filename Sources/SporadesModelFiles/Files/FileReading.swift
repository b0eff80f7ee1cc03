// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Reads whole files of bounded size.
enum FileReading {
  static func readBytes(of url: URL) throws(ModelError) -> [UInt8] {
    let resolved = url.resolvingSymlinksInPath()
    // `try?`, because the refusal below says all that matters.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved.path) else {
      throw makeRefusal(.unreadableFile, url, "cannot be found; check the path.")
    }
    // A device or pipe could have no end.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw makeRefusal(.unreadableFile, url, "is not a file; name the contents file of a model.")
    }
    if let size = attributes[.size] as? any BinaryInteger,
      Int(clamping: size) > ModelFileLimit.bytes
    {
      throw makeRefusal(
        .tooLarge, url, "is larger than \(ModelFileLimit.bytes >> 20) MiB, which no model needs.")
    }
    do {
      return Array(try Data(contentsOf: resolved))
    } catch {
      throw makeRefusal(
        .unreadableFile, url,
        "cannot be read (\(FileFailure.reason(error))); check its permissions.")
    }
  }

  static func isFolder(_ url: URL) -> Bool {
    // `try?`, because a path without attributes is not a folder.
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  static func makeRefusal(_ code: ModelError.Code, _ url: URL, _ detail: String) -> ModelError {
    ModelError([.init(code, "\(url.path) \(detail)")])
  }
}
