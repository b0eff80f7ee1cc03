// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesImport
import Testing

/// Files of exports, and what is left of one that was killed.
@Suite struct ExportFileTests {
  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func mode(_ file: URL) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func aFileIsItsOwnersAlone() async throws {
    try await withFolder { folder in
      let file = folder.appendingPathComponent("notes.json")
      try Data("old".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
      try await makeStaffService().export(Note.request, as: .json, to: file)
      #expect(try mode(file) == 0o600)
    }
  }

  @Test func whatAKilledExportLeftIsRemoved() async throws {
    try await withFolder { folder in
      let left = folder.appendingPathComponent(".sporades-export-\(UUID())")
      try Data("rows".utf8).write(to: left)
      // Another export writes this one: it holds the lock.
      let written = folder.appendingPathComponent(".sporades-export-\(UUID())")
      try Data("rows".utf8).write(to: written)
      let descriptor = unsafe open(written.path, O_RDONLY)
      defer { close(descriptor) }
      #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      // A file of somebody else has another name.
      let other = folder.appendingPathComponent(".sporades-\(UUID())")
      try Data("rows".utf8).write(to: other)
      let file = folder.appendingPathComponent("notes.json")
      try await makeStaffService().export(Note.request, as: .json, to: file)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(
        Set(names) == [written.lastPathComponent, other.lastPathComponent, file.lastPathComponent])
    }
  }

  @Test func exportsSideBySideDoNotRemoveEachOther() async throws {
    try await withFolder { folder in
      let service = makeStaffService()
      try service.makeTeams("a", "b")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let file = folder.appendingPathComponent("\(number).json")
            try await service.export(Team.request, as: .json, to: file)
          }
        }
        try await group.waitForAll()
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names) == Set((0..<40).map { "\($0).json" }))
    }
  }
}
