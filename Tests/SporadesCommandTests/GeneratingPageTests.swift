// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The page docs/generating.md says of templates what the program does.
@Suite struct GeneratingPageTests {
  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appendingPathComponent("docs/generating.md"), encoding: .utf8)
  }

  /// Generates with a template of a kind, and returns the text of a file.
  private func text(
    _ sample: GenerateSample, _ kind: String, _ template: String, of file: String
  ) throws -> String {
    let folder = sample.work.url.appendingPathComponent("Templates")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(template.utf8).write(to: folder.appendingPathComponent("\(kind).template"))
    let run = try sample.generateFiles("--template-path", folder.path, "--typed-ids")
    #expect(run.status == 0, "\(run.errors)")
    return try sample.body(file)
  }

  /// The names in the table below a title.
  private func names(_ title: String) throws -> [String] {
    let page = try page()
    let start = try #require(page.range(of: "\n\(title)\n\n| Value ")).upperBound
    let table = page[start...].prefix(
      upTo: page.range(of: "\n\n", range: start..<page.endIndex)?.lowerBound ?? page.endIndex)
    return table.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
  }

  @Test func everyValueOfThePageIsThere() throws {
    let sample = try GenerateSample(
      """
      <entity name="A" representedClassName="A">
        <attribute name="n" optional="YES" attributeType="String"><userInfo><entry key="k" value="v"/></userInfo></attribute>
        <relationship name="r" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A"/>
        <fetchedProperty name="f" optional="YES"><fetchRequest name="f" entity="A" predicateString="n == nil"/></fetchedProperty>
      </entity>
      <fetchRequest name="all" entity="A"/>
      """)
    func sections(_ names: [String]) -> String {
      names.map { "{{#\($0)}}\($0) {{/\($0)}}{{^\($0)}}\($0) {{/\($0)}}" }.joined()
    }
    var template = sections(
      try names("An entity, in `machine.template`, `human.template` and the members of `entities`:")
    )
    for list in ["attributes", "relationships", "fetchedProperties", "fetchRequests"] {
      template += "{{#\(list)}}\(sections(try names("A member of `\(list)`:"))){{/\(list)}}"
    }
    template += "{{#attributes}}{{#userInfo}}\(sections(try names("A member of `userInfo`:")))"
    template += "{{isLast}}{{/userInfo}}{{/attributes}}"
    let whole = sections(try names("The model, in each template:"))
    let text = try text(
      sample, "model", "{{#entities}}\(template){{/entities}} | \(whole)", of: "_Shop.swift")
    #expect(text.hasPrefix("entity class idClass superclass "), "\(text)")
    #expect(text.hasSuffix("key value true | model form access entities "), "\(text)")
  }

  @Test func theExampleMakesWhatThePageShows() throws {
    let blocks = try page().components(separatedBy: "```\n")
    let first = try #require(blocks.firstIndex { $0.hasPrefix("struct {{class}}Row") })
    let sample = try GenerateSample(
      GenerateSample.shop.replacingOccurrences(
        of:
          "<attribute name=\"rank\" optional=\"YES\" attributeType=\"Integer 32\" usesScalarValueType=\"NO\"/>",
        with: ""))
    #expect(try text(sample, "machine", blocks[first], of: "_Customer.swift") == blocks[first + 2])
  }
}
