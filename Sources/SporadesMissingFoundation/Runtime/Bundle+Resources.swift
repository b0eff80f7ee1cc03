// SPDX-License-Identifier: MIT
public import Foundation

// On Apple's platforms, the resources of a program and of its frameworks lie in the bundles that programs ask. The package manager
// puts those of each target into a folder of their own, beside the program. So the program's bundle answers for these folders, too.
//
// The compiler prefers these functions to Foundation's, because their first parameter is no optional.
extension Bundle {
  /// Finds a resource in the bundle; in the program's bundle, also among the resources of its packages, in the order of their names.
  public func url(forResource name: String, withExtension ext: String?) -> URL? {
    url(forResource: name, withExtension: ext, subdirectory: nil)
  }

  /// Finds a resource in a folder of the bundle; in the program's bundle, also among the resources of its packages.
  public func url(
    forResource name: String, withExtension ext: String?, subdirectory subpath: String?
  ) -> URL? {
    first { $0.url(forResource: Optional(name), withExtension: ext, subdirectory: subpath) }
  }

  /// Finds the path of a resource, where ``url(forResource:withExtension:)`` finds its URL.
  public func path(forResource name: String, ofType ext: String?) -> String? {
    path(forResource: name, ofType: ext, inDirectory: nil)
  }

  /// Finds the path of a resource in a folder, where ``url(forResource:withExtension:subdirectory:)`` finds its URL.
  public func path(
    forResource name: String, ofType ext: String?, inDirectory subpath: String?
  ) -> String? {
    first { $0.path(forResource: Optional(name), ofType: ext, inDirectory: subpath) }
  }

  /// The files with an extension; for the program's bundle, also those of its packages. Foundation's own function gives `NSURL`s on
  /// Linux.
  public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
    let lists = ([self] + packages).compactMap { bundle -> [NSURL]? in
      bundle.urls(forResourcesWithExtension: Optional(ext), subdirectory: subpath)
    }
    return lists.isEmpty ? nil : lists.joined().map { $0 as URL }
  }

  /// The paths of the files with an extension; for the program's bundle, also those of its packages.
  public func paths(forResourcesOfType ext: String, inDirectory subpath: String?) -> [String] {
    ([self] + packages).flatMap { bundle in
      bundle.paths(forResourcesOfType: Optional(ext), inDirectory: subpath)
    }
  }

  private func first<Place>(_ find: (Bundle) -> Place?) -> Place? {
    // Most resources are in the bundle itself, and then no folder is listed.
    find(self) ?? packages.lazy.compactMap(find).first
  }

  /// The resources of the program's packages; none for a bundle that is not the program's.
  private var packages: [Bundle] {
    guard bundleURL.standardizedFileURL == Bundle.main.bundleURL.standardizedFileURL else {
      return []
    }
    // `try?`: a folder that cannot be listed offers no resources.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: bundlePath)) ?? []
    return names.sorted().filter { $0.hasSuffix(".resources") }.compactMap { name in
      Bundle(url: bundleURL.appendingPathComponent(name))
    }
  }
}
