// SPDX-License-Identifier: MIT
import Sporades

/// What the arguments ask for.
struct Order {
  var path = ""
  var durability = Durability.eventual
  var lists = false

  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  static let usage = """
    usage: Journal --store FILE [--durability immediate|eventual]
           Journal --store FILE --list
    """

  init(arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    var hasDurability = false
    while let argument = rest.next() {
      switch argument {
      case "--store":
        guard let path = rest.next(), !path.isEmpty else {
          throw Problem(description: "--store needs a file.")
        }
        self.path = path
      case "--durability":
        switch rest.next() {
        case "immediate": durability = .immediate
        case "eventual": durability = .eventual
        default: throw Problem(description: "--durability is immediate or eventual.")
        }
        hasDurability = true
      case "--list": lists = true
      default: throw Problem(description: "What is \(argument)?")
      }
    }
    if path.isEmpty { throw Problem(description: "Name the file with --store.") }
    if lists && hasDurability { throw Problem(description: "A list needs no durability.") }
  }
}
