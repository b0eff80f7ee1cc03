// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesModel
import SporadesModelFiles

/// The folders that generated files lie in.
package struct GenerationFolder: Sendable {
  private let machine: URL
  private let human: URL

  /// The machine's files and those of people may lie in one folder.
  package init(machine: URL, human: URL) {
    (self.machine, self.human) = (machine, human)
  }

  /// The place of a file.
  package func url(of file: GeneratedFile) -> URL {
    (file.half == .machine ? machine : human).appendingPathComponent(file.name)
  }

  /// The fate of a file in a run.
  package enum Outcome: String, Sendable { case made, changed, unchanged, kept }

  /// Writes files: the machine's where their bytes differ, and those of people where there are none.
  ///
  /// A file in the place of a machine's file that no machine wrote is refused before anything is written, unless you
  /// pass true.
  package func write(
    _ files: [GeneratedFile], replacing: Bool
  ) throws -> [(file: GeneratedFile, outcome: Outcome)] {
    let plan = try files.map { ($0, try outcome(of: $0, replacing)) }
    for folder in [machine, human] {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      } catch {
        throw GenerationError([
          "The folder \(folder.path) cannot be made (\(FileFailure.reason(error))); check the path and its permissions."
        ])
      }
    }
    for (file, outcome) in plan where outcome == .made || outcome == .changed {
      try FileWriting.write(
        .file(Array(file.text.utf8)), to: url(of: file), replacing: outcome == .changed)
    }
    return plan.map { (file: $0.0, outcome: $0.1) }
  }

  private func outcome(
    of file: GeneratedFile, _ replacing: Bool
  ) throws(GenerationError) -> Outcome {
    let url = url(of: file)
    guard FileManager.default.fileExists(atPath: url.path) else { return .made }
    guard file.half == .machine else { return .kept }
    guard Self.isFile(url) else {
      throw GenerationError([
        "\(url.path) is in the place of a generated file, and is no file. Move it away."
      ])
    }
    let present = try Self.bytes(of: url)
    if present == Array(file.text.utf8) { return .unchanged }
    guard replacing || present.starts(with: GeneratedFile.markOfAnyModel.utf8) else {
      throw GenerationError([
        "\(url.path) is in the place of a generated file, and sporades did not make it. Move it away, or replace it with "
          + "--replace."
      ])
    }
    return .changed
  }

  /// The names of the machine's files of the same model that are in the folder and no longer made.
  package func orphans(
    besides generation: Generation
  ) throws(GenerationError) -> [String] {
    let made = Set(generation.files.filter { $0.half == .machine }.map(\.name))
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: machine.path)
    } catch {
      throw GenerationError([
        "The folder \(machine.path) cannot be listed (\(FileFailure.reason(error))); check the path."
      ])
    }
    let mark = GeneratedFile.mark(generation.model)
    var orphans: [String] = []
    for name in names.sorted() where name.hasSuffix(".swift") && !made.contains(name) {
      let url = machine.appendingPathComponent(name)
      guard Self.isFile(url) else { continue }
      let isMade = try Self.bytes(of: url).starts(with: mark.utf8)
      if isMade { orphans.append(name) }
    }
    return orphans
  }

  /// A folder, or a pipe without an end, is no file.
  private static func isFile(_ url: URL) -> Bool {
    // `try?`, because what cannot be looked at is no file that this program made.
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  private static func bytes(of url: URL) throws(GenerationError) -> [UInt8] {
    do {
      return Array(try Data(contentsOf: url))
    } catch {
      throw GenerationError([
        "\(url.path) cannot be read (\(FileFailure.reason(error))); check its permissions."
      ])
    }
  }
}
