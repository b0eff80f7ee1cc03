// SPDX-License-Identifier: MIT
import Foundation
import SporadesIndexing

/// An outside index that is one file, which each batch replaces.
///
/// The place is in the same file, so that a kill leaves both or none. With a name that ends in `.apart` it is in a file of its
/// own, as with a search server that keeps no place: after a kill between the two files, the items come again.
// snippet: indexing-index
actor CatalogFile: OutsideIndex {
  private struct Page: Codable {
    var items: [String: IndexItem] = [:]
    var place: IndexPlace?
  }

  func place() async throws -> IndexPlace? {
    isApart ? try read(IndexPlace.self, from: placeFile) : try read(Page.self, from: file)?.place
  }

  func apply(_ batch: IndexBatch) async throws {
    var page = try read(Page.self, from: file) ?? Page()
    for identifier in batch.removals { page.items[identifier] = nil }
    for item in batch.items { page.items[item.identifier] = item }
    if let edition = batch.removesEditionsBefore {
      page.items = page.items.filter { $0.value.edition >= edition }
    }
    page.place = isApart ? nil : batch.place
    try replace(file, by: page)
    if isApart { try replace(placeFile, by: batch.place) }
  }

  func removeAll() async throws {
    for file in [placeFile, file] where FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
  }
  // snippet end

  private let file: URL
  private let placeFile: URL
  private let isApart: Bool

  init(_ path: String) {
    file = URL(fileURLWithPath: path)
    placeFile = URL(fileURLWithPath: path + ".place")
    isApart = path.hasSuffix(".apart")
  }

  private nonisolated func read<Content: Decodable>(
    _ type: Content.Type, from file: URL
  ) throws -> Content? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }

  /// Replaces a file by a whole new one, so that a reader never sees half of it.
  private func replace(_ file: URL, by content: some Encodable) throws {
    try JSONEncoder().encode(content).write(to: file, options: .atomic)
  }

  // MARK: - For people

  nonisolated func edition() throws -> Int64 {
    try read(Page.self, from: file)?.items.values.map(\.edition).max() ?? 0
  }

  /// The items as lines, or those with a word.
  nonisolated func lines(with word: String? = nil) throws -> [String] {
    let items = try read(Page.self, from: file)?.items ?? [:]
    return items.map { identifier, item in
      let attributes = item.attributes
      var price: Int64 = 0
      if case .integer(let number) = attributes["price"] { price = number }
      return Self.line(
        identifier, attributes.title ?? "", attributes.text, price, attributes.keywords)
    }.filter { line in word.map { line.split(separator: " ").contains($0[...]) } ?? true }.sorted()
  }

  static func line(
    _ identifier: String, _ name: String, _ category: String?, _ price: Int64, _ keywords: [String]
  ) -> String {
    let key = identifier.split(separator: "/").suffix(2).joined(separator: "/")
    return ([key, "\(price)", category ?? "none", name] + keywords).joined(separator: " ")
  }
}
