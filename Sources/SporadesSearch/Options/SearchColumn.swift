// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A text of an entity that searches look into: an attribute, or one that to-one relationships lead to.
struct SearchColumn {
  /// The names of the key path with points: `title`, `author.name`.
  let name: String
  let path: KeyPathShape
  /// The number of the entity that declares the first property of the path.
  let entity: Int
  let weight: Double
  let prefixes: Set<Int>
  let form: SearchForm

  /// The texts of an entity, those that it inherits first.
  static func all(
    of entity: EntityShape, _ model: ManagedObjectModel
  ) throws(SearchError) -> [SearchColumn] {
    var columns: [SearchColumn] = []
    for attribute in entity.attributes {
      guard attribute.description.userInfo[SearchNotes.mark]?.uppercased() == "YES" else {
        continue
      }
      let reader = NoteReader(entity: entity, attribute: attribute, model: model)
      for column in try reader.columns() where !columns.contains(where: { $0.name == column.name })
      {
        columns.append(column)
      }
    }
    if let first = columns.first, let other = columns.first(where: { $0.form != first.form }) {
      throw SearchError(
        .mixedForms,
        "\(entity.name).\(first.name) is searched by \(first.form.rawValue), and \(other.name) by \(other.form.rawValue). "
          + "Give all searchable attributes of \(entity.name) one form.")
    }
    return columns
  }
}

/// Reads the notes of a searchable attribute.
private struct NoteReader {
  let entity: EntityShape
  let attribute: AttributeShape
  let model: ManagedObjectModel

  private var notes: [String: String] { attribute.description.userInfo }

  func columns() throws(SearchError) -> [SearchColumn] {
    let (weight, prefixes, form) = (try weight(), try prefixes(), try form())
    var columns: [SearchColumn] = []
    let others = notes[SearchNotes.including]?.split(separator: " ").map(String.init) ?? []
    for name in [attribute.name] + others {
      let path = try path(name)
      columns.append(
        SearchColumn(
          name: name, path: path, entity: path.relationships.first?.entity ?? attribute.entity,
          weight: weight, prefixes: prefixes, form: form))
    }
    return columns
  }

  private func path(_ name: String) throws(SearchError) -> KeyPathShape {
    let path: KeyPathShape
    do { path = try KeyPathShape(name.propertyNames, in: entity, model) } catch {
      throw mistake("is to be searched with \(name). \(error.detail)")
    }
    guard !path.isToMany else {
      throw mistake(
        "is to be searched with \(name), which leads to many objects. Search these themselves, and ask for their owners: "
          + "SUBQUERY(pages, $page, $page.text SEARCH %@).@count > 0 in a format.")
    }
    guard let end = path.attribute, end.type == .string, end.slot != nil else {
      throw mistake("is to be searched with \(name), which is no stored text.")
    }
    return path
  }

  private func weight() throws(SearchError) -> Double {
    guard let text = notes[SearchNotes.weight] else { return 1 }
    guard let weight = Double(text), weight.isFinite, weight >= 0 else {
      throw mistake("has the weight \(text) for searches. Give it a number of 0 or more.")
    }
    return weight
  }

  private func prefixes() throws(SearchError) -> Set<Int> {
    var lengths: Set<Int> = []
    for word in notes[SearchNotes.prefixes]?.split(separator: " ") ?? [] {
      guard let length = Int(word), 1...8 ~= length else {
        throw mistake("has a list for prefixes of \(word) letters. Name lengths from 1 to 8.")
      }
      lengths.insert(length)
    }
    return lengths
  }

  private func form() throws(SearchError) -> SearchForm {
    if let name = notes[SearchNotes.form] {
      guard let form = SearchForm(rawValue: name) else {
        throw mistake("is searched by \(name). There are words and parts.")
      }
      return form
    }
    guard let language = notes[SearchNotes.language] else { return .words }
    let code = language.split(whereSeparator: { $0 == "-" || $0 == "_" }).first.map(String.init)
    return SearchNotes.languagesWithoutSpaces.contains(code?.lowercased() ?? "") ? .parts : .words
  }

  private func mistake(_ sentence: String) -> SearchError {
    SearchError(.declaration, "\(entity.name).\(attribute.name) \(sentence)")
  }
}
