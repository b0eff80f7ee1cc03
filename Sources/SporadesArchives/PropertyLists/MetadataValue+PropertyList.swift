// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

extension MetadataValue {
  /// Reads a property list in either form: Core Data writes binary lists only, but tools write XML.
  package static func read(propertyList bytes: [UInt8]) throws(PropertyListError) -> MetadataValue {
    guard BinaryPropertyList.begins(bytes) else { return try readXML(bytes) }
    let list = try BinaryPropertyList(bytes)
    var reader = MetadataReader(list, left: bytes.count + BinaryPropertyList.sharingLimit)
    return try reader.value(list.top)
  }

  private static func readXML(_ bytes: [UInt8]) throws(PropertyListError) -> MetadataValue {
    try XMLPropertyListGuard.check(bytes)
    do {
      return try PropertyListDecoder().decode(PropertyListNode.self, from: Data(bytes)).value
    } catch {
      throw PropertyListError("it is no property list (\(error))")
    }
  }

  /// Writes a dictionary as a binary property list.
  package static func binaryPropertyList(
    _ entries: [String: MetadataValue]
  ) throws(PropertyListError) -> [UInt8] {
    guard MetadataValue.dictionary(entries).fits(BinaryPropertyList.depthLimit) else {
      throw PropertyListError(
        "it is more than \(BinaryPropertyList.depthLimit) containers deep and could not be read again"
      )
    }
    return BinaryPropertyListWriter.bytes(of: MetadataValue.dictionary(entries).tree)
  }

  /// The value to be written. The keys of a dictionary are sorted, so that equal metadata has equal bytes.
  private var tree: PropertyListTree {
    switch self {
    case .string(let text): .string(text)
    case .integer(let integer): .integer(integer)
    case .double(let real): .double(real)
    case .boolean(let truth): .boolean(truth)
    case .date(let seconds): .date(seconds)
    case .data(let bytes): .data(bytes)
    case .list(let items): .list(items.map(\.tree))
    case .dictionary(let entries):
      .dictionary(entries.inOrder.map { .init($0.key, $0.value.tree) })
    }
  }

  /// Whether containers are nested no deeper than the limit.
  private func fits(_ depth: Int) -> Bool {
    switch self {
    case .list(let items): depth > 0 && items.allSatisfy { $0.fits(depth - 1) }
    case .dictionary(let entries): depth > 0 && entries.values.allSatisfy { $0.fits(depth - 1) }
    case .string, .integer, .double, .boolean, .date, .data: true
    }
  }
}
