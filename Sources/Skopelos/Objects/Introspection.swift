// SPDX-License-Identifier: MIT
public import CoreData

extension NSObject {
  /// The name of the class, without its module.
  public class var nameOfClass: String { lastName(of: self) }
  /// The name of the object's class, without its module.
  public var nameOfClass: String { lastName(of: type(of: self)) }
}

extension NSManagedObject {
  /// The name of the class, without its module.
  public class var nameOfClass: String { lastName(of: self) }
  /// The name of the object's class, without its module.
  public var nameOfClass: String { lastName(of: type(of: self)) }
}

private func lastName(of type: AnyClass) -> String {
  let name = NSStringFromClass(type)
  return name.split(separator: ".").last.map { String($0) } ?? name
}

extension String {
  /// Whether the text begins with a word for yes: `YES`, `true`, `1`.
  public var boolValue: Bool { NSString(string: self).boolValue }
}
