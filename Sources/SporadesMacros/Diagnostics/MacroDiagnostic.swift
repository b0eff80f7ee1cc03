// SPDX-License-Identifier: MIT
import SwiftDiagnostics

/// The mistakes that the macros refuse.
enum MacroDiagnostic: DiagnosticMessage, Hashable {
  case entityIsNotAClass(kind: String)
  case entityHasNoSuperclass(name: String)
  case superclassIsNoManagedObject(String, entity: String)
  case coreDataSuperclass(entity: String)
  case isolatedEntity(name: String)
  case entityIsGeneric(name: String)
  case designatedInitializer(entity: String)
  case compositeIsNotAStruct(kind: String)
  case compositeIsGeneric(name: String)
  case constantProperty(name: String)
  case lazyProperty(name: String)
  case referenceModifier(String, name: String)
  case observedProperty(name: String)
  case managedByCoreData(name: String)
  case isolatedProperty(name: String)
  case overriddenProperty(name: String)
  case ignoredWithoutValue(name: String)
  case typeNeeded(name: String, example: String)
  case tupleType(name: String)
  case functionType(name: String)
  case nestedOptional(name: String)
  case unstorableType(name: String, type: String, remedy: String)
  case reservedName(String)
  case invalidName(String)
  case severalBindings
  case destructuring
  case conditionalProperty(name: String)
  case severalMarkers(name: String, first: String, second: String)
  case derivedWithInitialValue(name: String)
  case relationshipWithInitialValue(name: String)
  case relationshipOfValues(name: String, type: String)
  case optionalToMany(name: String)
  case derivedNeedsExpression(name: String)
  case inverseIsNotAName
  case inverseIsAPath
  case inversesWaitForEachOther(String, String)
  case listIsNotNames(macro: String)
  case unknownProperty(String, macro: String, entity: String, known: [String])
  case markerOutsideEntity(String)
  case markerNeedsProperty(String)
  case markerInComposite(String, name: String)
  case compositeOnProperty(name: String)

  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    let label = "\(self)".prefix { $0 != "(" }
    return MessageID(domain: "Sporades", id: String(label))
  }

  /// The mistake, its reason and the remedy.
  var message: String {
    let sentence = typeSentence ?? superclassSentence ?? propertySentence ?? propertyTypeSentence
    let rest = bindingSentence ?? markerSentence ?? relationshipSentence ?? argumentSentence
    guard let sentence = sentence ?? rest else {
      preconditionFailure("The diagnostic \(diagnosticID) has no sentence. Write one.")
    }
    return sentence
  }
}
