// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import Testing

@testable import SporadesMacros

/// The real models that lie in `shared/fixtures` beside the checkout, or in the folder that `SPORADES_FIXTURES` names.
private enum RealModels {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] {
      return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent("models")
    }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appendingPathComponent("../shared/fixtures/models", isDirectory: true).standardized
  }()

  static var areThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static let paths: [String] =
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix("/contents") }.sorted()
}

/// The classes that are written of real models are read by the macros, which find every property and no mistake.
@Suite(.enabled(if: RealModels.areThere, "needs the fixtures"))
struct GeneratedSourceTests {
  @Test func theMacrosReadTheClassesOfEveryModel() throws {
    #expect(RealModels.paths.count > 170)
    var withoutClasses = 0
    for path in RealModels.paths {
      let model = try ManagedObjectModel(contentsOf: RealModels.folder.appendingPathComponent(path))
      let source = try model.swiftSource(named: "Generated")
      if source.needsModel { withoutClasses += 1 }
      #expect(!Parser.parse(source: source.model).hasError, "\(path)")
      let file = Parser.parse(source: source.classes)
      #expect(!file.hasError, "\(path)")
      let classes = file.statements.compactMap { $0.item.as(ClassDeclSyntax.self) }
      #expect(classes.count == model.entities.count, "\(path)")
      for (declaration, entity) in zip(classes, model.entities) {
        try compare(declaration, entity, source.omissions)
      }
    }
    // Seven versions of one model have an inverse that does not name its relationship back.
    #expect(withoutClasses == 7)
  }

  private func compare(
    _ declaration: ClassDeclSyntax, _ entity: EntityDescription, _ omissions: [ModelWarning]
  ) throws {
    let marker = try #require(declaration.attributes.first?.as(AttributeSyntax.self))
    let read = try #require(EntityModel(marker, declaration))
    #expect(read.diagnostics.map(\.message) == [])
    let left = Set(
      omissions.filter { $0.entity == entity.name && $0.detail.contains("Swift lacks") }
        .compactMap(\.property))
    let expected =
      entity.attributes.map(\.name).filter { !left.contains($0) } + entity.relationships.map(\.name)
    #expect(read.properties.map(\.name) == expected)
    #expect(
      read.lists.uniquenessConstraints == entity.uniquenessConstraints
        && read.lists.indexes.count == entity.indexes.count)
  }
}
