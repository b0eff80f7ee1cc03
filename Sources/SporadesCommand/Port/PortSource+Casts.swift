// SPDX-License-Identifier: MIT
import SporadesAccessors

/// `request as! NSFetchRequest<Person>` becomes a call of a function that both worlds have.
///
/// Objective-C has one class of requests, and a cast changes only the type of their results. Swift has a class for each type, and
/// there the module CoreData's function makes the same request for other results.
extension PortSource {
  /// The items for the casts of the file to types of requests.
  func castItems() -> [PortItem] { tokens.indices.compactMap(castItem) }

  private func castItem(_ place: Int) -> PortItem? {
    guard word(place) == "as", isSign("!", place + 1) || isSign("?", place + 1),
      word(place + 2) == "NSFetchRequest", isSign("<", place + 3),
      let last = closingAngle(place + 3)
    else { return nil }
    let type = text(place + 2...last)
    let isConditional = isSign("?", place + 1)
    let sign = isConditional ? "?" : "!"
    let open = isConditional ? "Optional(unsafeDowncast(" : "unsafeDowncast("
    let close = ", to: \(type).self)" + (isConditional ? ")" : "")
    let start = tokens[place].start
    guard let first = firstOfRequest(before: place) else {
      return PortItem(
        .cast, at: start,
        "Requests of one type are none of another type on Linux, so as\(sign) \(type) fails. If the value before it is a "
          + "request of another type, write \(open)request\(close).")
    }
    return PortItem(
      .cast, at: start,
      "Requests of one type are none of another type on Linux, so as\(sign) \(type) fails: \(open)…\(close) takes its place.",
      [
        .insert(open, at: tokens[first].start),
        PortItem.Edit(range: tokens[place - 1].end..<tokens[last].end, text: close),
      ])
  }

  /// The sign that closes the types behind a name.
  private func closingAngle(_ open: Int) -> Int? {
    var depth = 0
    for place in open..<tokens.count {
      if isSign("<", place) { depth += 1 }
      if isSign(">", place) { depth -= 1 }
      if depth == 0 { return place }
      // No type has one of these.
      if isSign("{", place) || isSign("}", place) || isSign(";", place) { return nil }
    }
    return nil
  }

  /// The first token of the expression before a cast, if its name says that it is a fetch request: `fetchRequest()`,
  /// `Person.sortedRequest`. Nil for others, of which some are tests whether a request of a store is one.
  private func firstOfRequest(before cast: Int) -> Int? {
    var place = cast - 1
    while isSign("!", place) { place -= 1 }
    if isSign(")", place), let open = partners[place] { place = open - 1 }
    guard let name = name(place), name.lowercased().hasSuffix("request"),
      !tokens.contains(where: { $0.name == "NSPersistentStoreRequest" })
    else { return nil }
    // `Person.all()[0].request`. A chain with a question mark ends in an optional, which no request is.
    while isSign(".", place - 1) {
      place -= 2
      while isSign("!", place) { place -= 1 }
      while isSign(")", place) || isSign("]", place), let open = partners[place] {
        place = open - 1
      }
      // `(a ?? b).request` and `[a][0].request` begin with their brackets, and a dot with a type that is known.
      guard self.name(place) != nil else { return nil }
    }
    return place
  }
}
