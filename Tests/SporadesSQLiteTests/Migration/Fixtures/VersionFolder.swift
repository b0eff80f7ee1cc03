// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// A folder of Xcode's with several versions of a model, the oldest first.
struct VersionFolder: CustomTestStringConvertible, Sendable {
  struct Version: Sendable {
    let name: String
    let model: ManagedObjectModel
  }

  let path: String
  let versions: [Version]

  var testDescription: String { path }

  /// All folders with more than one version, those with most versions first.
  static let all: [VersionFolder] = {
    let root = StoreFixture.root + "/models"
    let paths = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".xcdatamodeld") }.sorted()
      .map { VersionFolder(root, $0) }.filter { $0.versions.count > 1 }
      .sorted { $0.versions.count > $1.versions.count }
  }()

  private init(_ root: String, _ path: String) {
    self.path = path
    let names =
      FileManager.default.enumerator(atPath: "\(root)/\(path)")?
      .compactMap { $0 as? String } ?? []
    versions = names.filter { $0.hasSuffix(".xcdatamodel") }.sorted(by: Self.isEarlier)
      .compactMap { name in
        let url = URL(fileURLWithPath: "\(root)/\(path)/\(name)")
        do {
          return Version(
            name: String(name.dropLast(12)),
            model: try ManagedObjectModel(contentsOf: url.appendingPathComponent("contents")))
        } catch {
          Issue.record("\(path)/\(name): \(error)")
          return nil
        }
      }
  }

  /// Versions count upwards. One project also changed its name.
  private static func isEarlier(_ left: String, _ right: String) -> Bool {
    func rank(_ name: String) -> [Int] {
      [name.contains("Folio") ? 1 : 0]
        + name.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    }
    return rank(left).lexicographicallyPrecedes(rank(right))
  }

  /// The place of the version whose hashes are those of a store's model.
  func place(of model: ManagedObjectModel) -> Int? {
    versions.firstIndex { $0.model.entityVersionHashesByName == model.entityVersionHashesByName }
  }

  func models(_ range: Range<Int>) -> [ManagedObjectModel] { versions[range].map(\.model) }
}
