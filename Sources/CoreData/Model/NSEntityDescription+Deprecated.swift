// SPDX-License-Identifier: MIT
public import Foundation

extension NSEntityDescription {
  /// Groups of properties, by names or descriptions, over which a store keeps an index each.
  @available(*, deprecated, message: "Use indexes.")
  public var compoundIndexes: [[Any]] {
    get { ownCompounds }
    set { ownCompounds = newValue }
  }

  /// The expression of an object's name in Spotlight, which Apple's platforms evaluate. The model keeps it.
  @available(*, deprecated, message: "Foundation marks NSExpression as deprecated on Linux.")
  public var coreSpotlightDisplayNameExpression: NSExpression? {
    get { spotlightName as? NSExpression }
    set { spotlightName = newValue }
  }
}
