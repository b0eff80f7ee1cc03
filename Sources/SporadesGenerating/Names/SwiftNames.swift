// SPDX-License-Identifier: MIT
import SporadesModelFiles

/// Makes names of Swift from any texts. Each text gets a different name.
struct SwiftNames {
  private var taken: Set<String>

  init(reserved: Set<String> = []) { taken = reserved }

  /// A name that consists of the letters and digits of a text, and that no other text has.
  mutating func claim(_ text: String) -> String {
    var name = ""
    for character in text {
      name.append(character.isLetter || character.isNumber || character == "_" ? character : "_")
    }
    if name.isEmpty || name.first?.isNumber == true { name = "_" + name }
    while !SwiftText.canDeclare(property: name) || !taken.insert(name).inserted { name += "_" }
    return name
  }
}

extension String {
  /// The text with a large first letter.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
