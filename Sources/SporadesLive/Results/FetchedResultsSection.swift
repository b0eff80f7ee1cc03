// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

/// One section of the results of a ``FetchedResultsController``.
public struct FetchedResultsSection<Object: ManagedObject> {
  /// The name of the section; empty if the controller makes no sections.
  public let name: String
  /// The title of the section in an index; nil if it has none.
  public let indexTitle: String?
  private let all: [ManagedObject]
  private let range: Range<Int>

  init(name: String, indexTitle: String?, _ all: [ManagedObject], _ range: Range<Int>) {
    self.name = name
    self.indexTitle = indexTitle
    self.all = all
    self.range = range
  }

  /// The section as its deletion is told: it has lost its objects.
  var emptied: Self { Self(name: name, indexTitle: indexTitle, [], 0..<0) }

  /// The number of objects in the section. A section that is told as deleted has none.
  public var numberOfObjects: Int { range.count }

  /// The objects of the section, in the order of the request.
  public var objects: [Object] {
    all[range].map { object in
      guard let object = object as? Object else {
        trap(
          "A section of \(Object.self) holds an object of class \(type(of: object)). Fetch the entity of the class."
        )
      }
      return object
    }
  }
}
