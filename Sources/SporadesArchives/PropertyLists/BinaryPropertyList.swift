// SPDX-License-Identifier: MIT

/// The objects of a binary property list.
///
/// ```text
/// "bplist00"
/// objects    each a byte with its kind and size, then its contents; containers name others by number
/// offsets    where each object begins
/// trailer    32 bytes: widths of the numbers above, how many objects, the top one, where offsets begin
/// ```
///
/// Foundation's decoder reads the same format, but it loads 0.7 MB of library code into every program that
/// opens a store, crashes on an object that contains itself, and does not know the references of archives. The
/// bytes may come from anybody, so this reader checks every number.
package struct BinaryPropertyList: Sendable {
  /// The largest depth of nested containers. Real lists stay far below it, and the stack holds it.
  package static let depthLimit = 256
  /// The largest number of values and bytes read beyond the list's own, because objects can be shared. Thirty
  /// arrays, each with the next one twice, would be a billion values.
  package static let sharingLimit = 1 << 20

  /// All objects, by their numbers.
  package let objects: [PropertyListObject]
  /// The number of the outermost object.
  package let top: Int

  /// The bytes claim to be a binary property list.
  package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist0".utf8) }

  /// Reads a list of at most `objectLimit` objects.
  package init(_ bytes: [UInt8], objectLimit: Int = .max) throws(PropertyListError) {
    guard bytes.count >= 40, Self.begins(bytes) else {
      throw PropertyListError("it is too short for a property list")
    }
    var scanner = try PropertyListScanner(bytes)
    guard scanner.count <= objectLimit else {
      throw PropertyListError("it has \(scanner.count) objects, and may have \(objectLimit)")
    }
    objects = try scanner.objects()
    top = scanner.top
  }
}
