// SPDX-License-Identifier: MIT

extension String {
  /// The name in snake case: `firstName` as `first_name`, `userID` as `user_id`, `htmlURLPath` as `html_url_path`.
  var snakeCased: String {
    var result = ""
    let letters = Array(self)
    for (index, letter) in letters.enumerated() {
      if letter.isUppercase, index > 0 {
        let isAfterLower = !letters[index - 1].isUppercase && letters[index - 1] != "_"
        let isBeforeLower = index + 1 < letters.count && letters[index + 1].isLowercase
        if isAfterLower || (isBeforeLower && letters[index - 1] != "_") { result += "_" }
      }
      result += letter.lowercased()
    }
    return result
  }

  /// The name with its first letter in lower case.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
