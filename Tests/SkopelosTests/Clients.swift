// SPDX-License-Identifier: MIT
import CoreData
import Skopelos

/// A person of the model below.
final class Person: NSManagedObject {
  var firstname: String? {
    get { _getManagedOptional("firstname") }
    set { _setManagedOptional("firstname", newValue) }
  }
  var lastname: String? {
    get { _getManagedOptional("lastname") }
    set { _setManagedOptional("lastname", newValue) }
  }
}

/// A service as an application writes it, which keeps the errors that it hears.
final class Client: Skopelos, @unchecked Sendable {
  // @unchecked: the tests write one after the other.
  private(set) var errors: [NSError] = []

  override func handleError(_ error: NSError) { errors.append(error) }
}

/// A folder with the file of a model, which is removed in the end.
final class ModelFolder {
  let url: URL
  var model: URL { url.appendingPathComponent("People.xcdatamodel") }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Self.contents.write(
      to: model.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
  }

  deinit {
    // `try?`: a folder that stays is in nobody's way.
    try? FileManager.default.removeItem(at: url)
  }

  private static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
    systemVersion="23B92" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Person" representedClassName="Person" syncable="YES">
            <attribute name="firstname" optional="YES" attributeType="String"/>
            <attribute name="lastname" attributeType="String" defaultValueString="Doe"/>
        </entity>
    </model>
    """
}
