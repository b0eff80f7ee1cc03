// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// Reads whole files of bounded size.
enum FileReading {
  static func bytes(of url: URL) throws(ModelError) -> [UInt8] {
    let resolved = url.resolvingSymlinksInPath()
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved.path) else {
      throw refusal(.unreadableFile, url, "cannot be found; check the path.")
    }
    // Devices and pipes could be read for ever.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw refusal(.unreadableFile, url, "is no file; give the contents file of a model.")
    }
    if let size = attributes[.size] as? any BinaryInteger,
      Int(clamping: size) > ModelFileLimit.bytes
    {
      throw refusal(
        .tooLarge, url, "is larger than \(ModelFileLimit.bytes >> 20) MiB, which no model needs.")
    }
    do {
      return Array(try Data(contentsOf: resolved))
    } catch {
      throw refusal(.unreadableFile, url, "cannot be read (\(error)); check its permissions.")
    }
  }

  static func isFolder(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  static func refusal(_ code: ModelError.Code, _ url: URL, _ detail: String) -> ModelError {
    ModelError([.init(code, "\(url.path) \(detail)")])
  }
}
