// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

extension Verb {
  static let draw = Verb(
    name: "draw", group: .models, summary: "Draw a picture of a model",
    operands: [.model],
    options: [
      VerbOption(name: "to", value: "FILE", text: "The new file. Else the picture is printed."),
      .replace,
      VerbOption(
        name: "format", value: "FORMAT",
        text: "svg, or dot for Graphviz. Else it is that of the file's ending, and svg without one."
      ),
      VerbOption(name: "title", value: "TEXT", text: "The title. Else it is the model's name."),
      .model,
    ],
    details: [
      "Each entity is a box with its own attributes and relationships; the name of an abstract one is in italics. Lines "
        + "join relationships with their inverses, and a hollow triangle points to the entity that others inherit from. "
        + "The picture of a store has the number of rows of each entity, without those of its subentities.",
      "With --json, a picture that is not written to a file is a text in the answer.",
    ],
    examples: [
      "sporades draw App.xcdatamodeld --to App.svg",
      "sporades draw app.sqlite --title Shop > Shop.svg",
      "sporades draw App.momd --format dot | dot -Tpdf > App.pdf",
    ]
  ) { invocation in
    let format = try PictureFormat(invocation)
    let target = invocation.value("to")
    let replaces = invocation.has(VerbOption.replace.name)
    if let target {
      try OutputFile.check(target, replaces: replaces, reading: invocation.word(Operand.model.name))
    }
    let picture = try ModelPicture(invocation)
    var facts: [(String, JSON)] = [
      ("format", .text(format.rawValue)), ("entities", .count(picture.boxes.count)),
      ("lines", .count(picture.lines.count)),
    ]
    let text: String
    switch format {
    case .dot: text = DOTPicture.text(picture)
    case .svg: text = SVGPicture.text(picture, PictureLayout(picture))
    }
    if let target {
      try OutputFile.write(text, to: target, replaces: replaces)
      facts.append(("file", .text(target)))
    } else if invocation.isJSON {
      facts.append(("picture", .text(text)))
    } else {
      try invocation.output.print(text)
    }
    if invocation.isJSON { try invocation.output.print(JSON.object(facts)) }
    return .done
  }
}

/// The form of a picture.
private enum PictureFormat: String, CaseIterable {
  case svg, dot

  /// The form that the options name.
  init(_ invocation: Invocation) throws {
    if let name = invocation.value("format") {
      guard let format = PictureFormat(rawValue: name) else {
        throw invocation.mistake("There is no format \(name.shownAsWord). There are svg and dot.")
      }
      self = format
      return
    }
    guard let target = invocation.value("to") else {
      self = .svg
      return
    }
    let ending = target.split(separator: ".").last.map(String.init) ?? ""
    switch ending {
    case "svg": self = .svg
    case "dot", "gv": self = .dot
    default:
      throw invocation.mistake(
        "\(target.shownAsWord) does not say in which form to draw. End it with .svg or .dot, or add --format."
      )
    }
  }
}

extension ModelPicture {
  /// Makes the picture of the model or the store that the user named.
  fileprivate init(_ invocation: Invocation) throws {
    let path = invocation.word(Operand.model.name)
    let title = invocation.value("title") ?? GivenModel.name(of: path)
    guard try GivenModel.isStore(path) else {
      guard !invocation.has(VerbOption.model.name) else {
        throw invocation.mistake("--model belongs to a store, and \(path) is a model.")
      }
      self.init(of: try GivenModel(path).model, title: title)
      return
    }
    let given = try GivenStore(invocation, Operand.model.name)
    var counts: [String: Int] = [:]
    for shape in given.heldShapes where !shape.isAbstract {
      counts[shape.name] = try given.store.count(
        StoreFetch(shape, includesSubentities: false), in: given.view)
    }
    self.init(of: given.model, title: title, counts: counts)
  }
}
