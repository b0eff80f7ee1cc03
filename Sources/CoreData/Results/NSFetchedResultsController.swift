// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
import SporadesLive
import SporadesModel

/// The kind of a change of results.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// An object or a section came.
  case insert = 1
  /// An object or a section went.
  case delete = 2
  /// An object has another place.
  case move = 3
  /// The values of an object changed.
  case update = 4

  init(_ type: FetchedResultsChangeType) {
    self =
      switch type {
      case .insert: .insert
      case .delete: .delete
      case .move: .move
      case .update: .update
      }
  }
}

/// A section of results.
public protocol NSFetchedResultsSectionInfo {
  /// The name of the section.
  var name: String { get }
  /// The title of the section in an index.
  var indexTitle: String? { get }
  /// The number of the section's objects.
  var numberOfObjects: Int { get }
  /// The objects of the section.
  var objects: [Any]? { get }
}

/// The results of a request, kept up to date, in sections if you like.
open class NSFetchedResultsController<ResultType>: NSObject {
  /// The request.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// The context of the objects.
  public let managedObjectContext: NSManagedObjectContext
  /// The key path of the sections' names.
  public let sectionNameKeyPath: String?
  /// The name of the file that keeps the names and sizes of the sections.
  public let cacheName: String?
  /// Hears of changes. The controller does not keep it alive.
  public weak var delegate: (any NSFetchedResultsControllerDelegate)? {
    didSet { twin?.delegate = delegate }
  }
  private var controller: FetchedResultsController<ManagedObject>?
  private var listener: ResultsListener?
  private var twin: NSFetchedResultsController<any NSFetchRequestResult>?

  /// Makes a controller without results.
  public init(
    fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    trap(
      unless: !(fetchRequest.sortDescriptors ?? []).isEmpty,
      "A fetched results controller was made with a request that has no sort descriptors. Set sortDescriptors."
    )
    self.fetchRequest = fetchRequest
    managedObjectContext = context
    self.sectionNameKeyPath = sectionNameKeyPath
    cacheName = name
  }

  /// Fetches the results, and follows changes from then on.
  open func performFetch() throws {
    let request = try fetchRequest.request()
    try managedObjectContext.work { context in
      if controller == nil {
        let new = FetchedResultsController<ManagedObject>(
          request, in: context, sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName)
        let untyped = untyped
        let listener = ResultsListener(untyped)
        new.delegate = listener
        (controller, self.listener) = (new, listener)
        (untyped.controller, untyped.listener) = (new, listener)
      }
      listener?.isHearing = false
      defer { listener?.isHearing = true }
      try controller?.performFetch(request)
    }
  }

  /// The controller as delegates get it: itself, or an equal one over the same results, whose type is any. Objective-C has one class of
  /// controllers, and Swift on Linux one per result.
  private var untyped: NSFetchedResultsController<any NSFetchRequestResult> {
    if let own = self as? NSFetchedResultsController<any NSFetchRequestResult> { return own }
    if let twin { return twin }
    let new = NSFetchedResultsController<any NSFetchRequestResult>(
      fetchRequest: fetchRequest.untypedCopy(),
      managedObjectContext: managedObjectContext, sectionNameKeyPath: sectionNameKeyPath,
      cacheName: cacheName)
    new.delegate = delegate
    twin = new
    return new
  }

  /// Controllers of the same results are equal, so that a delegate of several controllers knows them apart.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? any ResultsHolder else { return false }
    return other === self || (controller != nil && other.results === controller)
  }
  open override var hash: Int { managedObjectContext.hash }

  /// The results; nil before the first fetch.
  public var fetchedObjects: [ResultType]? {
    controller?.fetchedObjects.map { $0.map(typed) }
  }

  private func typed(_ object: ManagedObject) -> ResultType {
    guard let result = object as? ResultType else {
      trap("A fetched results controller for \(ResultType.self) found a \(type(of: object)).")
    }
    return result
  }

  /// The object at a place.
  public func object(at indexPath: IndexPath) -> ResultType {
    guard let controller else {
      trap("A fetched results controller was asked for an object before performFetch().")
    }
    return typed(controller.object(at: indexPath))
  }

  /// The place of an object; nil for one that is no result.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? ManagedObject).flatMap { controller?.indexPath(for: $0) }
  }

  /// The sections; nil before the first fetch.
  public var sections: [any NSFetchedResultsSectionInfo]? {
    controller?.sections?.map { ResultsSection($0) }
  }

  /// The titles of the sections in an index.
  public var sectionIndexTitles: [String] { controller?.sectionIndexTitles ?? [] }

  /// The title of a section in an index: the first letter of the name.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    delegate?.controller(untyped, sectionIndexTitleForSectionName: sectionName)
      ?? controller?.sectionIndexTitle(forSectionName: sectionName)
  }

  /// The number of the section with a title.
  open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    guard let controller else {
      trap("A fetched results controller was asked for a section before performFetch().")
    }
    return controller.section(forSectionIndexTitle: title, at: sectionIndex)
  }

  /// Removes the file of a name, or those of all names.
  open class func deleteCache(withName name: String?) {
    do { try FetchedResultsController<ManagedObject>.deleteCache(withName: name) } catch {
      trap("The cache \(name ?? "of all names") cannot be removed: \(error)")
    }
  }
}

/// A controller of any type.
private protocol ResultsHolder: AnyObject {
  var results: FetchedResultsController<ManagedObject>? { get }
}

extension NSFetchedResultsController: ResultsHolder {
  fileprivate var results: FetchedResultsController<ManagedObject>? { controller }
}

/// A section, by Core Data's names.
struct ResultsSection: NSFetchedResultsSectionInfo {
  private let section: FetchedResultsSection<ManagedObject>

  init(_ section: FetchedResultsSection<ManagedObject>) { self.section = section }

  var name: String { section.name }
  var indexTitle: String? { section.indexTitle }
  var numberOfObjects: Int { section.numberOfObjects }
  var objects: [Any]? { section.objects }
}
