// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Only the owner may read the files and folders that the library makes, whatever the process's mask. Do not run
/// under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct PermissionTests {
  @Test func everyFileAndFolderIsItsOwnersAlone() async throws {
    let folder = try FaultFolder()
    let run = try await FaultRun.play("permissions", folder.store)
    #expect(run.failures == [] && run.acknowledged == [3], "\(run)")
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    for ending in ["-wal", "-shm", "Kept.sqlite", "Copy.sqlite", "New.sqlite", "_EXTERNAL_DATA"] {
      #expect(found.contains { $0.hasSuffix(ending) }, "\(ending) was not made: \(found)")
    }
    #expect(found.contains { $0.hasPrefix("data/home/") && $0.hasSuffix("Named.sqlite") })
    for path in found {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.url.appendingPathComponent(path).path)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(path) has \(String(mode, radix: 8))")
    }
  }
}
