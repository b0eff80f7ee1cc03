// SPDX-License-Identifier: MIT
import SporadesAccessors
import SporadesModel

/// What all files of a folder, and its models, tell of the names in one of them.
struct PortFacts {
  /// The classes of the files, with the properties of their extensions.
  private let classes: DeclaredClasses
  /// The names of the properties of the models' classes.
  private var modelProperties: [String: Set<String>] = [:]
  /// The names of all types of the files.
  private(set) var typeNames: Set<String> = []
  /// The properties that have another name in Objective-C.
  private(set) var renamed: Set<String> = []

  /// No program nests classes deeper.
  private static let deepest = 64

  init(_ sources: [PortSource], models: [ManagedObjectModel]) {
    classes = DeclaredClasses(
      sources.flatMap { SwiftParser.classes(in: $0.bytes, file: $0.path) })
    for entity in models.flatMap(\.entities) {
      let name = entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
      guard let name, name != "NSManagedObject" else { continue }
      modelProperties[name, default: []].formUnion(entity.propertyNames)
    }
    for source in sources { take(source) }
  }

  private mutating func take(_ source: PortSource) {
    let words: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
    for (place, token) in source.tokens.enumerated() {
      if let word = token.keyword, words.contains(word), let name = source.name(place + 1) {
        typeNames.insert(name)
      }
    }
    // An earlier run has put conditions around attributes, so all sides count.
    let tokens = SwiftScanner.scan(source.bytes).tokens
    for place in tokens.indices {
      if let name = Self.renamedProperty(tokens, place) { renamed.insert(name) }
    }
  }

  /// The property behind `@objc(otherName)`.
  private static func renamedProperty(_ tokens: [SwiftToken], _ place: Int) -> String? {
    guard place + 4 < tokens.count, tokens[place].isSign("@"), tokens[place + 1].keyword == "objc",
      tokens[place + 2].isSign("("), let objectiveC = tokens[place + 3].name,
      tokens[place + 4].isSign(")")
    else { return nil }
    // Behind it stand further attributes, modifiers and `#endif`.
    for next
      in (place + 5)..<min(place + 5 + PortSource.mostModifiers, max(tokens.count - 1, place + 5))
    {
      switch tokens[next].keyword {
      case "var", "let": return tokens[next + 1].name == objectiveC ? nil : tokens[next + 1].name
      case "func", "init", "enum", "protocol", "case", "subscript", "get", "set":
        return nil
      default: if tokens[next].isSign("{") || tokens[next].isSign("}") { return nil }
      }
    }
    return nil
  }

  /// Whether the class is a managed object's, as far as the folder tells.
  func isManaged(superclass name: String?) -> Bool {
    var next = name
    for _ in 0..<Self.deepest {
      guard let name = next else { return false }
      if name == "NSManagedObject" || modelProperties[name] != nil { return true }
      next = classes[name]?.inherited.first
    }
    return false
  }

  /// Whether a class has a property.
  enum Answer {
    case yes, no
    /// The folder does not declare the class, or not all of its superclasses.
    case unknown
  }

  /// The properties of base classes that have one name in both languages.
  private static let known: [String: Set<String>] = [
    "NSObject": ["description", "debugDescription", "hash"],
    "NSManagedObject": [
      "objectID", "entity", "managedObjectContext", "faultingState", "description", "hash",
    ],
  ]

  func has(_ property: String, in type: String) -> Answer {
    var next: String? = type
    for _ in 0..<Self.deepest {
      guard let name = next else { return .no }
      if let properties = Self.known[name] { return properties.contains(property) ? .yes : .no }
      let isModels = modelProperties[name] != nil
      if modelProperties[name]?.contains(property) == true { return .yes }
      if classes.property(property, of: name) != nil { return .yes }
      guard let found = classes[name] else { return isModels ? .no : .unknown }
      next = found.inherited.first
    }
    return .unknown
  }
}
