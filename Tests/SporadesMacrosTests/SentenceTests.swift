// SPDX-License-Identifier: MIT
import SwiftDiagnostics
import Testing

@testable import SporadesMacros

struct SentenceTests {
  static let all: [MacroDiagnostic] = [
    .entityIsNotAClass(kind: "a struct"), .entityHasNoSuperclass(name: "x"),
    .superclassIsNoManagedObject("P", entity: "x"), .coreDataSuperclass(entity: "x"),
    .isolatedEntity(name: "x"),
    .entityIsGeneric(name: "x"), .designatedInitializer(entity: "x"),
    .compositeIsNotAStruct(kind: "a class"),
    .compositeIsGeneric(name: "x"), .constantProperty(name: "x"), .lazyProperty(name: "x"),
    .referenceModifier("weak", name: "x"), .observedProperty(name: "x"),
    .managedByCoreData(name: "x"),
    .isolatedProperty(name: "x"), .overriddenProperty(name: "x"), .ignoredWithoutValue(name: "x"),
    .typeNeeded(name: "x", example: "Date"),
    .tupleType(name: "x"), .functionType(name: "x"), .nestedOptional(name: "x"),
    .unstorableType(name: "x", type: "Any", remedy: "y"), .invalidName("x"), .reservedName("x"),
    .severalBindings,
    .destructuring, .conditionalProperty(name: "x"),
    .severalMarkers(name: "x", first: "A", second: "B"), .derivedWithInitialValue(name: "x"),
    .relationshipWithInitialValue(name: "x"), .derivedNeedsExpression(name: "x"),
    .relationshipOfValues(name: "x", type: "Int"), .optionalToMany(name: "x"),
    .inverseIsNotAName, .inverseIsAPath, .inversesWaitForEachOther("x", "y"),
    .listIsNotNames(macro: "Index"),
    .unknownProperty("x", macro: "Index", entity: "A", known: ["y"]), .markerOutsideEntity("@A"),
    .markerNeedsProperty("@A"), .markerInComposite("A", name: "x"),
    .compositeOnProperty(name: "x"),
  ]

  @Test(arguments: all)
  func everyDiagnosticIsASentenceWithARemedy(diagnostic: MacroDiagnostic) {
    #expect(diagnostic.message.hasSuffix("."))
    #expect(diagnostic.message.contains("; "), "What is wrong and why; what to write instead.")
    #expect(!diagnostic.message.contains("\n"))
  }

  @Test func everyDiagnosticHasADifferentIdentifier() {
    #expect(Set(Self.all.map(\.diagnosticID)).count == Self.all.count)
  }
}
