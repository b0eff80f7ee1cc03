// SPDX-License-Identifier: MIT
import Foundation

/// Model files as Xcode keeps them, written by the tests.
struct PetModel {
  static let owner = """
    <entity name="Owner" representedClassName="Owner">
      <attribute name="name" attributeType="String"/>
      <attribute name="born" optional="YES" attributeType="Date"/>
      <relationship name="pets" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Pet" inverseName="owner" inverseEntity="Pet"/>
    </entity>
    """
  static let pet = """
    <entity name="Animal" representedClassName="Animal" isAbstract="YES">
      <attribute name="age" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
    </entity>
    <entity name="Pet" representedClassName="Pet" parentEntity="Animal">
      <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" inverseName="pets" inverseEntity="Owner"/>
    </entity>
    """
  static let note = """
    <entity name="Note" representedClassName="Note"><attribute name="text" optional="YES" attributeType="String"/></entity>
    """

  /// The contents of a model with some entities.
  static func contents(_ entities: String...) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="1">
    \(entities.joined(separator: "\n"))
    </model>
    """
  }

  static var usual: String { contents(owner, pet, note) }

  /// Writes a model with one version, and returns its path.
  static func write(_ contents: String, to name: String, in folder: WorkFolder) throws -> String {
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try Data(contents.utf8).write(to: url.appendingPathComponent("contents"))
    return url.path
  }

  /// Writes a folder of versions, the last of which is the current one, and returns its path.
  static func write(
    versions: [(name: String, contents: String)], to name: String, in folder: WorkFolder
  ) throws -> String {
    for version in versions {
      _ = try write(version.contents, to: "\(name)/\(version.name).xcdatamodel", in: folder)
    }
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(versions.last?.name ?? "").xcdatamodel</string></dict></plist>
      """
    try Data(list.utf8).write(to: URL(fileURLWithPath: folder.path("\(name)/.xccurrentversion")))
    return folder.path(name)
  }

  /// Two versions: the second one renames a property, and adds one that is required.
  static func writeVersions(in folder: WorkFolder) throws -> String {
    let later = usual.replacingOccurrences(
      of: #"<attribute name="name" attributeType="String"/>"#,
      with: """
        <attribute name="fullName" attributeType="String" elementID="name"/>
        <attribute name="rank" attributeType="Integer 16" usesScalarValueType="YES"/>
        """)
    return try write(
      versions: [("Pets", usual), ("Pets 2", later)], to: "Pets.xcdatamodeld", in: folder)
  }
}
