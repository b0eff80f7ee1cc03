// SPDX-License-Identifier: MIT
public import Foundation

extension Bundle {
  /// The files with an extension. Foundation's own function gives `NSURL`s on Linux; the compiler prefers this one, because its first
  /// parameter is no optional.
  public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
    let found: [NSURL]? = urls(forResourcesWithExtension: Optional(ext), subdirectory: subpath)
    return found?.map { $0 as URL }
  }
}
