// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// The names and sizes of the sections that the last ``FetchedResultsController/performFetch()`` under a cache name found.
///
/// The file never decides what the results are. Every fetch computes the sections from the objects, compares them
/// with the file, and writes it where they differ.
public struct CachedSections: Hashable, Sendable, Codable {
  /// One section.
  public struct Section: Hashable, Sendable, Codable {
    /// The name of the section.
    public let name: String
    /// The number of its objects.
    public let numberOfObjects: Int
  }

  /// The request that found the sections, as text.
  fileprivate let request: String
  /// The sections in their order.
  public let sections: [Section]
}

extension FetchedResultsController {
  /// The sections that the last fetch under the controller's cache name left, perhaps in an earlier run of the program;
  /// nil if there are none. They may be outdated: show them until ``performFetch()`` has the results.
  public func cachedSections() throws(FetchedResultsError) -> CachedSections? {
    guard let cacheName else { return nil }
    let cached = try SectionFile(name: cacheName).read()
    guard cached.map({ $0.request == requestText }) ?? true else {
      throw .cacheOfAnotherRequest(name: cacheName)
    }
    return cached
  }

  /// Removes the file of a cache, or of all caches of the program where the name is nil.
  public static func deleteCache(withName name: String?) throws(FetchedResultsError) {
    guard let name else { return try SectionFile.removeAll() }
    try SectionFile(name: name).remove()
  }

  /// Writes the sections, unless the file holds them already. It refuses the cache of another request.
  func writeCache(_ table: SectionTable) throws(FetchedResultsError) {
    guard let cacheName else { return }
    let current = CachedSections(
      request: requestText,
      sections: table.sections.map { .init(name: $0.name, numberOfObjects: $0.range.count) })
    guard try cachedSections() != current else { return }
    try SectionFile(name: cacheName).write(current)
  }

  private var requestText: String {
    let order = fetchRequest.sortTerms.map { "\($0)" }.joined(separator: ", ")
    let condition = fetchRequest.predicate.map { "\($0)" } ?? ""
    return [
      fetchRequest.entityName, condition, order, "\(fetchRequest.fetchOffset)",
      "\(fetchRequest.fetchLimit ?? -1)", sectionNameKeyPath ?? "",
    ].joined(separator: "\n")
  }
}

/// The file of one cache, in the folder of caches of the user and the program.
private struct SectionFile {
  let name: String

  private static var folder: URL {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    return (caches ?? FileManager.default.temporaryDirectory)
      .appending(path: "Sporades/FetchedResults").appending(
        path: Self.fileName(of: program ?? "program"))
  }

  private var url: URL { Self.folder.appending(path: Self.fileName(of: name)) }

  /// A name that every file system takes: letters and digits stay, all other bytes become numbers.
  private static func fileName(of name: String) -> String {
    name.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.properties.isAlphabetic && scalar.isASCII || (48...57).contains(byte)
      return isPlain ? String(scalar) : "_\(byte)_"
    }.joined()
  }

  /// The content; nil if there is no file, or a file that is no cache, which the next write replaces.
  func read() throws(FetchedResultsError) -> CachedSections? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    let bytes = try attempt { try Data(contentsOf: url) }
    // because a damaged cache is worth no more than none
    return try? JSONDecoder().decode(CachedSections.self, from: bytes)
  }

  func write(_ sections: CachedSections) throws(FetchedResultsError) {
    try attempt {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try JSONEncoder().encode(sections).write(to: url, options: .atomic)
    }
  }

  func remove() throws(FetchedResultsError) {
    guard FileManager.default.fileExists(atPath: url.path) else { return }
    try attempt { try FileManager.default.removeItem(at: url) }
  }

  static func removeAll() throws(FetchedResultsError) {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    try SectionFile(name: "of the program").attempt {
      try FileManager.default.removeItem(at: folder)
    }
  }

  private func attempt<Output>(_ body: () throws -> Output) throws(FetchedResultsError) -> Output {
    do { return try body() } catch { throw .cacheFailed(name: name, reason: "\(error)") }
  }
}
