// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles

/// Real models and stores. They lie in `shared/fixtures` beside the checkout, or in the folder that the
/// environment variable `SPORADES_FIXTURES` names.
enum Fixtures {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("../shared/fixtures", isDirectory: true).standardized
  }()

  static var areAvailable: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  /// The paths of all files with a name, below the folder of the fixtures.
  static func paths(named name: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix("/\(name)") }.sorted()
  }

  static func model(_ path: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: url(path))
  }
}

/// A folder that is removed at the end of a test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sporades-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  @discardableResult
  func write(_ text: String, to path: String) throws -> URL {
    try write(Data(text.utf8), to: path)
  }

  @discardableResult
  func write(_ data: Data, to path: String) throws -> URL {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file
  }

  /// The text of a `contents` file with the given elements.
  static func text(_ elements: String, attributes: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \(attributes)>
    \(elements)
    </model>
    """
  }

  /// The model in a `contents` file with the given elements.
  func model(_ elements: String, attributes: String = "") throws -> ManagedObjectModel {
    let text = Self.text(elements, attributes: attributes)
    return try ManagedObjectModel(contentsOf: write(text, to: "contents"))
  }

  /// The problems of a model with the given elements, each as `line code Entity.property`.
  func problems(_ elements: String) -> [String] {
    do {
      _ = try model(elements)
      return []
    } catch let error as ModelError {
      return error.problems.map { problem in
        let place = [problem.entity, problem.property].compactMap(\.self).joined(separator: ".")
        let line = problem.location.map { "\($0.line) " } ?? ""
        return "\(line)\(problem.code.rawValue)\(place.isEmpty ? "" : " \(place)")"
      }
    } catch {
      return ["\(error)"]
    }
  }
}
