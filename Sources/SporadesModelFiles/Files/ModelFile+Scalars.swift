// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesArchives
package import SporadesModel

extension ModelFile {
  /// The names of the attributes for which Xcode generates properties of scalar types, by the names of their entities;
  /// nil for a compiled model, which does not tell them.
  package static func scalarAttributes(
    at url: URL
  ) throws(ModelError) -> [String: Set<String>]? {
    let file = try ManagedObjectModel.findContentsFile(at: url)
    let bytes = try FileReading.readBytes(of: file)
    guard !BinaryPropertyList.begins(bytes) else { return nil }
    let root = try XMLReader.read(bytes, file: file.path)
    var names: [String: Set<String>] = [:]
    for entity in root.children("entity") {
      let scalars = entity.children("attribute").filter {
        $0["usesScalarValueType"].flatMap(ModelReader.truth) == true
      }
      names[entity["name"] ?? "", default: []].formUnion(scalars.compactMap { $0["name"] })
    }
    return names
  }
}
