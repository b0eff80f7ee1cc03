// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesGraph
import SporadesModel

// The results.
extension FetchedResultsController {
  var list: ResultList { followed?.list ?? ResultList() }

  /// The objects in the order of the request; nil before the first ``performFetch()``.
  public var fetchedObjects: [Object]? {
    guard let followed else { return nil }
    return managedObjectContext.objects(Object.self, followed.list.objects)
  }

  /// The sections in their order; nil before the first ``performFetch()``. Without names of sections there is exactly one.
  public var sections: [FetchedResultsSection<Object>]? {
    followed?.list.table.sections.indices.map(section)
  }

  func section(_ number: Int) -> FetchedResultsSection<Object> {
    let section = list.table.sections[number]
    return FetchedResultsSection(
      name: section.name, indexTitle: sectionIndexTitle(forSectionName: section.name),
      list.objects, section.range)
  }

  /// The object at the path, which must exist.
  public func object(at indexPath: IndexPath) -> Object {
    trap(
      unless: followed != nil,
      "The controller has no results yet. Call try performFetch() before you ask for its objects.")
    guard let position = list.table.position(of: indexPath) else {
      trap(
        "The results have no object at \(Array(indexPath)). The numbers of objects in their sections: "
          + "\(list.table.sections.prefix(20).map(\.range.count)).")
    }
    guard let object = list.objects[position] as? Object else {
      trap(
        "The results hold an object of class \(type(of: list.objects[position])). Fetch the entity of \(Object.self)."
      )
    }
    return object
  }

  /// The path of the object; nil if it is not among the results.
  public func indexPath(for object: Object) -> IndexPath? {
    list.objects.firstIndex { $0 === object }.map(list.table.path)
  }

  /// The results as a value that may go to other tasks.
  public func snapshot() -> FetchedResultsSnapshot { snapshot(reloaded: [], reconfigured: []) }

  func snapshot(
    reloaded: Set<ManagedObjectID>, reconfigured: Set<ManagedObjectID>
  ) -> FetchedResultsSnapshot {
    let list = list
    let sections = list.table.sections.map { section in
      FetchedResultsSnapshot.Section(
        name: section.name, objectIDs: list.objects[section.range].map(\.objectID))
    }
    return FetchedResultsSnapshot(sections, reloaded: reloaded, reconfigured: reconfigured)
  }

  /// The results now, and then after each change. A slow consumer gets the newest snapshot alone, with the
  /// changed ids of those that it missed. The sequence ends with the controller, and throws the error if the
  /// results could not be brought up to date.
  public var snapshots: AsyncThrowingStream<FetchedResultsSnapshot, any Error> {
    managedObjectContext.checkQueue()
    return consumers.add(beginningWith: followed == nil ? nil : snapshot())
  }
}

// Titles for an index beside a list.
extension FetchedResultsController {
  /// The titles of the sections in their order. A title that several sections in a row have is there once.
  public var sectionIndexTitles: [String] { titles.map(\.title) }

  /// The title of a section with the name: what the delegate says, or else the first letter as a capital; nil for an
  /// empty name.
  public func sectionIndexTitle(forSectionName name: String) -> String? {
    guard let delegate else { return Self.firstLetter(of: name) }
    return delegate.controller(self, sectionIndexTitleForSectionName: name)
  }

  /// The number of the section at which a title leads in; `index` is its place in ``sectionIndexTitles``.
  public func section(forSectionIndexTitle title: String, at index: Int) -> Int {
    let titles = titles
    guard titles.indices.contains(index), titles[index].title == title else {
      trap(
        "The title at index \(index) is not the given one. Pass a title of sectionIndexTitles with its index."
      )
    }
    return titles[index].section
  }

  private var titles: [(title: String, section: Int)] {
    var titles: [(title: String, section: Int)] = []
    for (number, section) in list.table.sections.enumerated() {
      guard let title = sectionIndexTitle(forSectionName: section.name), titles.last?.title != title
      else { continue }
      titles.append((title, number))
    }
    return titles
  }

  static func firstLetter(of name: String) -> String? { name.first.map { $0.uppercased() } }
}
