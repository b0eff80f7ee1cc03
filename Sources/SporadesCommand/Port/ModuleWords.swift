// SPDX-License-Identifier: MIT

/// The words by which a file uses a module.
struct ModuleWords {
  private let names: Set<String>
  /// What the names of the module's types begin with, before a large letter.
  private let prefixes: [String]

  /// Whether the word is one of the module.
  func contains(_ word: String) -> Bool {
    names.contains(word)
      || prefixes.contains {
        word.hasPrefix($0) && word.dropFirst($0.count).first?.isUppercase == true
      }
  }

  /// The words of a module; nil for a module whose words are not known.
  static func of(_ module: String) -> ModuleWords? {
    switch module {
    case "os", "OSLog": logging
    case "Combine": combine
    case "UIKit": ModuleWords(names: layout, prefixes: ["UI", "NSDiffable", "NSCollectionLayout"])
    case "CloudKit": ModuleWords(names: [], prefixes: ["CK", "NSPersistentCloudKit"])
    case "SwiftUI": interface
    default: nil
    }
  }

  static let coreData = ModuleWords(
    names: ["NSManaged", "NSMergePolicy", "NSAttributeDescription", "NSRelationshipDescription"],
    prefixes: ["NSManaged", "NSFetch", "NSFetched", "NSPersistent", "NSEntity", "NSBatch"])

  private static let logging = ModuleWords(
    names: [
      "Logger", "os_log", "os_signpost", "os_unfair_lock", "os_unfair_lock_s", "os_unfair_lock_t",
      "os_unfair_lock_lock", "os_unfair_lock_unlock", "os_proc_available_memory",
    ], prefixes: ["OSLog", "OSSignpost", "OSAllocated", "OSSignposter"])

  private static let combine = ModuleWords(
    names: [
      "Publisher", "AnyPublisher", "Publishers", "PassthroughSubject", "CurrentValueSubject",
      "Subject", "Just", "Future", "Deferred", "Fail", "Empty", "AnyCancellable", "Cancellable",
      "Subscriber", "Subscribers", "AnySubscriber", "Subscription", "Subscriptions", "Published",
      "ObservableObject", "ObservableObjectPublisher", "objectWillChange", "ConnectablePublisher",
      "sink", "eraseToAnyPublisher", "receive", "publisher", "Scheduler", "TopLevelDecoder",
      "TopLevelEncoder", "Record",
    ], prefixes: [])

  private static let layout: Set<String> = [
    "NSLayoutConstraint", "NSLayoutAnchor", "NSTextAlignment", "NSTextAttachment", "NSTextStorage",
    "NSMutableParagraphStyle", "NSParagraphStyle", "NSShadow", "NSDirectionalEdgeInsets",
    "NSLayoutManager", "NSTextContainer", "IBAction", "IBOutlet", "IBDesignable", "IBInspectable",
  ]

  private static let interface = ModuleWords(
    names: [
      "View", "App", "Scene", "State", "StateObject", "ObservedObject", "ObservableObject",
      "Published", "Binding", "Bindable", "Environment", "EnvironmentObject", "EnvironmentValues",
      "EnvironmentKey", "FetchRequest", "FetchedResults", "SectionedFetchRequest",
      "SectionedFetchResults", "Query", "AppStorage", "SceneStorage", "FocusState", "Text", "Image",
      "Color", "Font", "Button", "List", "ForEach", "NavigationView", "NavigationStack",
      "NavigationLink", "VStack", "HStack", "ZStack", "Spacer", "Toggle", "Picker", "Form",
      "Section", "Group", "WindowGroup", "LocalizedStringKey", "ViewBuilder", "ViewModifier",
      "PreviewProvider", "Preview", "Animation", "withAnimation", "Namespace", "Gesture",
      "GeometryReader", "ScrollView", "LazyVStack", "LazyHStack", "Path", "Shape", "Label",
      "TextField", "Alert", "Transaction", "DynamicProperty", "onAppear", "onChange", "Angle",
      "UIViewRepresentable", "UIHostingController", "NSHostingController", "ColorScheme",
    ], prefixes: [])
}
