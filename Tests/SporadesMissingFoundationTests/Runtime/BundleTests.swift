// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import Testing

/// Resources of packages, which lie in folders beside the program.
@Suite(.serialized) struct BundleTests {
  private final class Resources {
    let folder = Bundle.main.bundleURL.appendingPathComponent(
      "BundleTests-\(UUID().uuidString).resources")

    init() throws {
      for path in ["", "Some.kept", "Other.kept"] {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
      }
      try Data("1".utf8).write(to: folder.appendingPathComponent("Some.kept/One.part"))
    }

    // `try?`: what stays behind lies in the folder of the build.
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  @Test func theProgramsBundleAnswersForPackages() throws {
    let resources = try Resources()
    let file = resources.folder.appendingPathComponent("Some.kept").path
    let name: String? = "Some"
    #expect(Bundle.main.url(forResource: name, withExtension: "kept") == nil, "Foundation's own")
    for bundle in [Bundle.main, Bundle(for: Resources.self)] {
      #expect(bundle.url(forResource: "Some", withExtension: "kept")?.path == file)
      #expect(bundle.url(forResource: "Some.kept", withExtension: nil)?.path == file)
      #expect(bundle.path(forResource: "Some", ofType: "kept") == file)
      #expect(
        bundle.url(forResource: "One", withExtension: "part", subdirectory: "Some.kept")?.path
          == file + "/One.part")
      #expect(
        bundle.path(forResource: "One", ofType: "part", inDirectory: "Some.kept")
          == file + "/One.part")
      let found = bundle.urls(forResourcesWithExtension: "kept", subdirectory: nil) ?? []
      #expect(Set(found.map(\.lastPathComponent)) == ["Some.kept", "Other.kept"])
      #expect(Set(bundle.paths(forResourcesOfType: "kept", inDirectory: nil)).contains(file))
      #expect(bundle.url(forResource: "None", withExtension: "kept") == nil)
    }
  }

  @Test func anotherBundleAnswersForItself() throws {
    let resources = try Resources()
    let own = try #require(Bundle(url: resources.folder))
    #expect(own.url(forResource: "Some", withExtension: "kept") != nil)
    let other = try #require(Bundle(url: resources.folder.appendingPathComponent("Some.kept")))
    #expect(other.url(forResource: "Some", withExtension: "kept") == nil)
    #expect(other.url(forResource: "One", withExtension: "part") != nil)
  }
}
