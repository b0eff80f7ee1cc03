// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesModel

// Sort descriptors by the names of properties, and the terms by which a store sorts.

/// Sort descriptors by the names of properties.
extension NSSortDescriptor: MadeElsewhere {
  /// Sorts by the values at the end of a key path; nil compares the objects themselves.
  public convenience init(key: String?, ascending: Bool) {
    self.init(KeySortDescriptor(key: key, ascending: ascending, .values))
  }

  /// Sorts by the values at the end of a key path, which a closure compares. A store cannot ask it.
  public convenience init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
    self.init(KeySortDescriptor(key: key, ascending: ascending, .closure(comparator)))
  }

  /// Sorts by the texts at the end of a key path, by one of the methods that compare texts: `compare:`, `caseInsensitiveCompare:`,
  /// `localizedCompare:`, `localizedCaseInsensitiveCompare:`, `localizedStandardCompare:`.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(KeySortDescriptor(key: key, ascending: ascending, SortRule(selector)))
  }

  /// Sorts by the values of a property of any type, which are optional or have no order in Swift.
  public convenience init<Root, Property>(keyPath: KeyPath<Root, Property>, ascending: Bool) {
    self.init(KeySortDescriptor(path: keyPath, ascending: ascending, .values))
  }

  /// Sorts objects with names by the values of a property.
  public convenience init<Root: KeyedObject, Property: Comparable>(
    keyPath: KeyPath<Root, Property>, ascending: Bool
  ) {
    self.init(KeySortDescriptor(path: keyPath, ascending: ascending, .values))
  }

  /// Makes the descriptor of one of Swift's, by its key path.
  public convenience init<Compared>(_ descriptor: SortDescriptor<Compared>) {
    guard let path = descriptor.keyPath else {
      trap("A SortDescriptor without a key path has no NSSortDescriptor. Give it one.")
    }
    trap(
      unless: descriptor.stringComparator.map { $0 == .lexical } ?? true,
      "NSSortDescriptor takes no SortDescriptor with another comparator than .lexical. Write init(key:ascending:selector:)."
    )
    self.init(
      KeySortDescriptor(path: path, ascending: descriptor.order == .forward, .values))
  }

  /// Makes the descriptor of a term of Sporades, which names a key path.
  public convenience init(_ term: SortTerm) {
    let rule: SortRule =
      switch term.collation?.comparison {
      case .localized: .method(.localizedCompare)
      case .localizedCaseInsensitive: .method(.localizedCaseInsensitiveCompare)
      case .localizedStandard: .method(.localizedStandardCompare)
      case nil: term.options.contains(.caseInsensitive) ? .method(.caseInsensitiveCompare) : .values
      }
    self.init(KeySortDescriptor(key: term.spelling, ascending: term.ascending, rule))
  }

  private convenience init(_ descriptor: KeySortDescriptor) {
    guard let own = descriptor as? Self else {
      trap(
        "NSSortDescriptor(key:ascending:) makes no \(Self.self). Call an initializer of that class."
      )
    }
    self.init(made: own)
  }

  /// The key path in text. Nil for a key path of Swift whose names nobody has added to ``KeyPathNames``.
  public var key: String? {
    if let own = self as? KeySortDescriptor, own.path == nil { return own.givenKey }
    return KeyPathNames.name(of: keyPath)
  }

  /// The method that compares the values; nil where a closure does.
  public var selector: Selector? {
    guard let own = self as? KeySortDescriptor else { return Selector("compare:") }
    return switch own.rule {
    case .values: Selector("compare:")
    case .method(let method): Selector("\(method.rawValue):")
    case .closure: nil
    }
  }

  /// Allows a descriptor out of an archive to compare. No archive makes descriptors here, and every one is allowed.
  public func allowEvaluation() {}

  /// The term by which a store sorts. Throws for a descriptor that only objects in memory can be sorted by.
  public var sortTerm: SortTerm {
    get throws(FetchPredicateError) {
      guard let own = self as? KeySortDescriptor else {
        guard type(of: self) == NSSortDescriptor.self else {
          throw Self.refusal("is a program's own subclass, \(type(of: self))")
        }
        // Foundation's own, by a key path of Swift.
        return SortTerm(try storedKey, ascending: ascending)
      }
      let key = try storedKey
      switch own.rule {
      case .closure: throw Self.refusal("has a closure for its comparator")
      case .values: return SortTerm(key, ascending: ascending)
      case .method(let method):
        guard let comparison = TextCollation.Comparison(selector: "\(method.rawValue):") else {
          return SortTerm(key, ascending: ascending, options: .caseInsensitive)
        }
        return SortTerm(key, ascending: ascending, collation: TextCollation(comparison))
      }
    }
  }

  private var storedKey: String {
    get throws(FetchPredicateError) {
      guard let key, key != "self" else {
        throw Self.refusal("has no name of a property; its key path is \(keyPath)")
      }
      return key
    }
  }

  private static func refusal(_ reason: String) -> FetchPredicateError {
    FetchPredicateError(
      .unsupported,
      "A store cannot sort by an NSSortDescriptor that \(reason). Make it with init(key:ascending:), or sort the results of the fetch."
    )
  }
}

extension SortRule {
  /// The rule of a method's name. A name that is none of the known ones ends the program.
  fileprivate init(_ selector: Selector?) {
    guard let selector, selector.name != "compare:" else {
      self = .values
      return
    }
    guard let method = TextMethod.allCases.first(where: { "\($0.rawValue):" == selector.name })
    else {
      let known = TextMethod.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")
      trap(
        "NSSortDescriptor(selector: \(selector)) is unknown here. Write one of compare:, \(known), or pass a comparator."
      )
    }
    self = .method(method)
  }
}
