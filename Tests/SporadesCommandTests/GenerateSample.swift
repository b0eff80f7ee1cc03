// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A folder with a model as Xcode keeps it, for the verb `generate`.
final class GenerateSample {
  let work: WorkFolder

  /// Writes a model of the elements into `Shop.xcdatamodeld`.
  init(_ elements: String = GenerateSample.shop) throws {
    work = try WorkFolder()
    try write(elements)
  }

  var model: String { work.path("Shop.xcdatamodeld") }
  var output: String { work.path("Model") }

  /// Writes another content of the model.
  func write(_ elements: String) throws {
    let version = URL(fileURLWithPath: model).appendingPathComponent("Shop.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      \(elements)
      </model>
      """
    try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
  }

  /// Runs `generate` with the model and further words.
  func generate(_ words: String...) throws -> CommandRun {
    try CommandRun(["generate", model] + words, in: work.url)
  }

  /// Runs `generate` into the folder `Model`.
  func generateFiles(_ words: String...) throws -> CommandRun {
    try CommandRun(["generate", model, "--output", output] + words, in: work.url)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: output + "/" + name, encoding: .utf8)
  }

  /// The text without the lines that mark it as the machine's.
  func body(_ name: String) throws -> String {
    let text = try text(name)
    #expect(text.hasPrefix(Self.mark), "\(text)")
    return String(text.dropFirst(Self.mark.count))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: output).sorted() }
  }

  static let mark = """
    // Made by sporades of the model Shop. Each run replaces this file: change the model.
    // swift-format-ignore-file
    // swiftlint:disable all

    """

  /// Two entities with a link, of which one has a class of its own.
  static let shop = """
    <entity name="Customer" representedClassName="Customer" syncable="YES">
      <attribute name="age" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES"/>
      <attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="rank" optional="YES" attributeType="Integer 32" usesScalarValueType="NO"/>
      <relationship name="orders" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
    </entity>
    <entity name="Order" representedClassName="NSManagedObject">
      <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
      <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>
    </entity>
    <fetchRequest name="byName" entity="Customer" predicateString="name == $name AND age &gt; $least"/>
    <fetchRequest name="oneNamed" entity="Customer" predicateString="name IN $names"/>
    <configuration name="Small"><memberEntity name="Order"/></configuration>
    """

  /// An entity with the notes that change classes.
  static let notes = """
    <entity name="Thing" representedClassName="Thing">
      <attribute name="color" optional="YES" attributeType="Transformable">
        <userInfo><entry key="attributeValueClassName" value="*Color"/></userInfo>
      </attribute>
      <attribute name="kind" attributeType="Integer 16" defaultValueString="2" usesScalarValueType="YES">
        <userInfo>
          <entry key="attributeValueScalarType" value="Kind"/>
          <entry key="documentation" value="The kind of&#10;the thing."/>
        </userInfo>
      </attribute>
      <attribute name="left" optional="YES" attributeType="String">
        <userInfo><entry key="mogenerator.ignore" value=""/></userInfo>
      </attribute>
      <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO">
        <userInfo><entry key="mogenerator.readonly" value="YES"/></userInfo>
      </attribute>
      <userInfo>
        <entry key="additionalImports" value="Colors, Shapes"/>
        <entry key="discussion" value="Any thing."/>
        <entry key="mogenerator.customBaseClass" value="Base"/>
      </userInfo>
    </entity>
    """
}
